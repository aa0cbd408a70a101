"""A receiver that prints what it is notified of, for build/docker/compose.yaml. Yours takes its place."""

import ssl
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        print(self.path, body.decode(), flush=True)
        # Any 2xx accepts it, the test POST of the registration too.
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("/certificates/receiver.crt.pem", "/certificates/receiver.key.pem")
server = ThreadingHTTPServer(("0.0.0.0", 9443), Receiver)
server.socket = context.wrap_socket(server.socket, server_side=True)
print("listening", flush=True)
server.serve_forever()
