"""A real S3 server on a port of this machine, a free one unless it is told, for as long as its standard input is open.

    python s3_server.py [--port N] [--without-conditions]

Prints its port once it listens. One request at a time: what a condition is compared with and what replaces it are one
step, as S3 promises. `--without-conditions` is a server that does not look at `If-Match` and `If-None-Match`.
"""

import logging
import sys
import threading

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

CONDITIONS = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH")


def main() -> None:
    port = int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 0
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    application = DomainDispatcherApplication(create_backend_app)

    def careless(environ, start_response):  # type: ignore[no-untyped-def]
        return application({key: value for key, value in environ.items() if key not in CONDITIONS}, start_response)

    served = careless if "--without-conditions" in sys.argv else application
    server = make_server("127.0.0.1", port, served)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
