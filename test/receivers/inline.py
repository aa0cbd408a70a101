"""A platform in Python, with its standard library alone: it asks the service while the notification waits, and
answers when the books are written. Written from the service's document and the README."""

import argparse
import base64
import json
import os
import re
import sqlite3
import ssl
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

flags = argparse.ArgumentParser()
for name in ("port", "effects-port", "cert", "key", "data", "service", "token"):
    flags.add_argument("--" + name, required=True)
flags.add_argument("--hole", default="")
options = flags.parse_args()


def has(hole):
    return options.hole == hole


os.makedirs(options.data, exist_ok=True)
books = threading.Lock()
db = sqlite3.connect(os.path.join(options.data, "books.db"), check_same_thread=False, isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA synchronous = FULL")
db.execute(
    "CREATE TABLE IF NOT EXISTS objects (type TEXT, id TEXT, state TEXT, amount INTEGER, currency TEXT,"
    " updated_at TEXT, effects INTEGER NOT NULL, PRIMARY KEY (type, id))"
)
seen = set()

MOVES_MONEY = {
    ("transactions", "deposit", "npp_payin"),
    ("transactions", "deposit", "direct_credit"),
    ("transactions", "deposit", "bpay"),
    ("transactions", "payment", "credit_card"),
    ("transactions", "payment", "wallet_account_transfer"),
    ("batch_transactions", "disbursement", "direct_credit"),
    ("batch_transactions", "disbursement", "bpay"),
    ("batch_transactions", "payment", "direct_debit"),
}
PATH = re.compile(
    r"/(notifications|callbacks)/(items|users|batch_transactions|accounts|transactions|disbursements|companies"
    r"|virtual_accounts)/([0-9a-f]+)"
)
LONGEST = 1024 * 1024


class Unavailable(Exception):
    pass


def show(kind, object_id):
    url = f"{options.service}/{kind}/{urllib.parse.quote(object_id, safe='')}"
    basic = base64.b64encode(b"sandbox@example.test:sandbox-token").decode()
    request = urllib.request.Request(url, headers={"Authorization": f"Basic {basic}"})
    try:
        with urllib.request.urlopen(request, timeout=8) as reply:
            shown = json.load(reply)
            shown = shown if kind == "virtual_accounts" else shown.get(kind)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise Unavailable(f"the service answers {error.code}") from error
    except (OSError, ValueError) as error:
        raise Unavailable(str(error)) from error
    if not isinstance(shown, dict) or object_id not in (str(shown.get("id")), shown.get("uuid")):
        raise Unavailable("the service tells of something else")
    return shown


def is_due(kind, shown):
    if kind == "virtual_accounts":
        return shown.get("status") == "active"
    state = shown.get("state")
    if state != "successful" and not (has("acts-on-intermediate") and state == "bank_processing"):
        return False
    return kind == "disbursements" or (kind, shown.get("type"), shown.get("type_method")) in MOVES_MONEY


def write_down(kind, object_id, shown, posted):
    with books:
        db.execute("BEGIN IMMEDIATE")
        known = db.execute(
            "SELECT updated_at, effects FROM objects WHERE type = ? AND id = ?", (kind, object_id)
        ).fetchone()
        updated_at, effects = known or ("", 0)
        now = shown.get("updated_at") or ""
        if now >= updated_at or has("downgrades"):
            is_first = (kind, object_id) not in seen if has("forgets-on-restart") else effects == 0
            if is_due(kind, shown) and (is_first or has("acts-on-each-copy")):
                effects += 1
                seen.add((kind, object_id))
            told = posted if has("downgrades") else shown
            state = told.get("state") or told.get("status") or told.get("verification_state")
            db.execute(
                "INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?)",
                (kind, object_id, state, shown.get("amount"), shown.get("currency"), now, effects),
            )
        db.execute("COMMIT")


def take(kind, object_id, posted):
    if has("dedupes-by-id"):
        with books:
            if (kind, object_id) in seen:
                return 204
            seen.add((kind, object_id))
    try:
        shown = posted if has("trusts-body") else show(kind, object_id)
    except Unavailable as error:
        print(error, file=sys.stderr, flush=True)
        return 204 if has("ignores-show-failures") else 503
    if shown is not None:
        write_down(kind, object_id, shown, posted)
    return 204


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def setup(self):
        # In the thread of the connection: in the one that accepts, a caller who says nothing would stop all others.
        self.request.settimeout(10)
        self.request.do_handshake()
        super().setup()

    def log_message(self, *_):
        pass

    def answer(self, status, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def refuse(self):
        self.close_connection = True
        self.answer(405, [("Allow", "POST"), ("Connection", "close")])

    do_GET = do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = refuse

    def do_POST(self):
        path = PATH.fullmatch(self.path.split("?")[0])
        body = self.read_body()
        if body is None:
            self.close_connection = True
            return self.answer(413, [("Connection", "close")])
        if not path or (path[3] != options.token and not has("any-token")):
            return self.answer(404)
        if self.headers.get_content_type() != "application/json":
            return self.answer(415)
        try:
            posted = json.loads(body)
        except ValueError:
            return self.answer(400)
        if not isinstance(posted, dict):
            return self.answer(400)
        if isinstance(posted.get("message"), str):
            return self.answer(204)
        kind = path[2]
        posted = posted if kind == "virtual_accounts" else posted.get(kind)
        object_id = posted.get("id") if isinstance(posted, dict) else None
        if isinstance(object_id, bool) or not isinstance(object_id, (str, int)):
            return self.answer(400)
        object_id = str(object_id)
        if not 0 < len(object_id) <= 200 or not object_id.strip("."):
            return self.answer(400)
        if has("answers-before-storing"):
            threading.Timer(1, take, (kind, object_id, posted)).start()
            return self.answer(204)
        return self.answer(take(kind, object_id, posted))

    def read_body(self):
        """The body, or None if it is too long. The library reads no chunks by itself."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            length = int(self.headers.get("Content-Length") or 0)
            return self.rfile.read(length) if length <= LONGEST else None
        body = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            if size == 0:
                break
            body += self.rfile.read(size)
            self.rfile.readline()
            if len(body) > LONGEST:
                return None
        while self.rfile.readline().strip():
            pass
        return body


class Page(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        _, _, kind, object_id = (urllib.parse.unquote(part) for part in self.path.split("/"))
        with books:
            row = db.execute(
                "SELECT effects, state, amount, currency FROM objects WHERE type = ? AND id = ?", (kind, object_id)
            ).fetchone()
        told = dict(zip(("effects", "state", "amount", "currency"), row or (0, None, None, None)))
        if told["amount"] is None:
            del told["amount"], told["currency"]
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        print(sys.exc_info()[1], file=sys.stderr, flush=True)


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(options.cert, options.key)
door = Server(("localhost", int(options.port)), Receiver)
door.socket = context.wrap_socket(door.socket, server_side=True, do_handshake_on_connect=False)
page = Server(("127.0.0.1", int(getattr(options, "effects_port"))), Page)
threading.Thread(target=page.serve_forever, daemon=True).start()
print("ready", flush=True)
door.serve_forever()
