"""x"""
from __future__ import annotations
from torch_refine.dialect.bindings import ir
import re
def assembly_in(op: ir.Operation) -> str:
    text=str(op.attributes["objects"])
    body=re.search(r'assembly = "((?:[^"\\]|\\.)*)"',text)[1]
    return re.sub(r'\\([0-9A-F]{2}|.)',lambda f: chr(int(f[1],16)) if len(f[1])==2 else f[1],body)
