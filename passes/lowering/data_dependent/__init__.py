"""What operators are made of whose results have as many elements as values tell."""
