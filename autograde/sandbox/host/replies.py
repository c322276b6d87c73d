"""What a worker sent, checked whole where it enters: past this module nothing of it is believed or can surprise.

Sizes are bounded before memory is taken, dtypes are a short list of plain ones, every type is checked, nothing is
unpickled or evaluated. Everything here raises ProtocolError and nothing else.
"""

import json
from typing import Any

from autograde.engine.calling import MOST_BASES, Failure, Outcome, Unsupported
from autograde.sandbox.wire import LENGTHS, LONGEST_TEXT, MOST_BODY, MOST_HEADER, Body, ProtocolError


def lengths(head: bytes) -> tuple[int, int]:
    """Lengths of a worker's header and body, refused where they are too large."""
    header, body = LENGTHS.unpack(head)
    if header > MOST_HEADER or body > MOST_BODY:
        raise ProtocolError("a message that is too long")
    return header, body


def parse(header: bytes) -> dict:
    try:
        message = json.loads(header)
    except (ValueError, RecursionError, MemoryError):
        raise ProtocolError("a header that is no JSON") from None
    if not isinstance(message, dict):
        raise ProtocolError("a header that is no object")
    return message


def results(message: dict, body: bytes, most: int) -> list[Outcome]:
    """The outcomes of calls as the worker reports them: one at least, and ``most`` at most."""
    nodes, inside = message.get("outcomes"), Body(body)
    if not isinstance(nodes, list) or not 0 < len(nodes) <= most:
        raise ProtocolError("outcomes of other calls than those asked for")
    outcomes = [_outcome(node, inside) for node in nodes]
    if inside.used != len(body):
        raise ProtocolError("bytes that belong to no array")
    return outcomes


def _outcome(node: Any, body: Body) -> Outcome:
    if not isinstance(node, dict):
        raise ProtocolError("an outcome that is none")
    changed = node.get("changed")
    if not isinstance(changed, list) or len(changed) > 100 or any(type(item) is not int for item in changed):
        raise ProtocolError("positions that are no numbers")
    return Outcome(_value(node.get("value"), body), failure(node.get("failure")), tuple(changed))


def _value(node: Any, body: Body, depth: int = 0) -> Any:
    if node is None:
        return None
    if not isinstance(node, dict) or depth > 8:
        raise ProtocolError("a value of no known kind")
    if "array" in node:
        return body.array(node["array"], node.get("shape")).copy()
    if isinstance(node.get("tuple"), list):
        return tuple(_value(part, body, depth + 1) for part in node["tuple"])
    return Unsupported(text(node.get("unsupported")))


def failure(node: Any) -> Failure | None:
    """kind, type, message, line and the names of the error's base classes as the worker reports them."""
    if node is None:
        return None
    if not isinstance(node, list) or len(node) != 5 or node[0] not in ("raised", "limit", "interrupted"):
        raise ProtocolError("a failure of no known kind")
    *told, bases = node
    if not isinstance(bases, list) or len(bases) > MOST_BASES:
        raise ProtocolError("base classes that are no list")
    return Failure(*map(text, told), tuple(map(text, bases)))


def text(node: Any) -> str:
    """A worker's text without what could act on a terminal or a page's layout, and not long."""
    if not isinstance(node, str):
        raise ProtocolError("a text that is none")
    return "".join(letter if letter.isprintable() else " " for letter in node[:LONGEST_TEXT])


def plain_value(node: Any) -> Any:
    """A variable's value for a quiz: None, a bool, a number or a short text."""
    if node is None or isinstance(node, (bool, float)) or isinstance(node, int) and abs(node) < 1 << 63:
        return node
    return text(node)
