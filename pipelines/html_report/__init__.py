"""The HTML report of a run: types before and after its passes, reasons, graph, guards, times."""
