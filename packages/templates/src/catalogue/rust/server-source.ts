/** A server that needs no crate: a thread a connection, and limits on what it reads. */
export const SERVER = `//! {% if description != "" %}{{ description }}{% else %}The server \`{{ project_name | kebab }}\`.{% endif %}

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

const DEFAULT_PORT: u16 = {{ port }};
const LIMIT_OF_HEAD: u64 = 16 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

fn main() -> io::Result<()> {
    let port = env::var("PORT")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(DEFAULT_PORT);
    let host = env::var("HOST").unwrap_or_else(|_| "127.0.0.1".to_owned());
    let listener = TcpListener::bind((host.as_str(), port))?;
    eprintln!("listening on {}", listener.local_addr()?);
    for connection in listener.incoming() {
        match connection {
            Ok(stream) => {
                thread::spawn(move || {
                    if let Err(error) = serve(&stream) {
                        eprintln!("connection lost: {error}");
                    }
                });
            }
            Err(error) => eprintln!("no connection: {error}"),
        }
    }
    Ok(())
}

/// Reads one request and answers it.
fn serve(mut stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = BufReader::new(stream.take(LIMIT_OF_HEAD)).lines();
    let request = head.next().transpose()?.unwrap_or_default();
    for line in head {
        if line?.is_empty() {
            break;
        }
    }
    stream.write_all(answer(&request).as_bytes())
}

/// The whole answer to a request, by its first line.
fn answer(request: &str) -> String {
    let mut words = request.split_whitespace();
    let (status, body) = match (words.next(), words.next()) {
        (Some("GET"), Some("/")) => ("200 OK", "{\\"message\\":\\"Hello, world!\\"}"),
        (Some("GET"), Some("/healthz")) => ("200 OK", "{\\"status\\":\\"ok\\"}"),
        (Some("GET"), Some(_)) => ("404 Not Found", "{\\"error\\":\\"not found\\"}"),
        (Some(_), Some(_)) => (
            "405 Method Not Allowed",
            "{\\"error\\":\\"method not allowed\\"}",
        ),
        _ => ("400 Bad Request", "{\\"error\\":\\"bad request\\"}"),
    };
    format!(
        "HTTP/1.1 {status}\\r\\ncontent-type: application/json\\r\\ncontent-length: {}\\r\\nconnection: close\\r\\n\\r\\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn says_that_it_is_well() {
        assert!(answer("GET /healthz HTTP/1.1").starts_with("HTTP/1.1 200 OK"));
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(answer("GET /nowhere HTTP/1.1").starts_with("HTTP/1.1 404"));
        assert!(answer("POST / HTTP/1.1").starts_with("HTTP/1.1 405"));
        assert!(answer("").starts_with("HTTP/1.1 400"));
    }
}
`;

/** Starts the server on a port that is free, and asks it. */
export const SERVER_TEST = `//! Starts the server and asks how it is.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn says_over_http_that_it_is_well() -> io::Result<()> {
    let mut server = Server(
        Command::new(env!("CARGO_BIN_EXE_{{ project_name | kebab }}"))
            .envs([("HOST", "127.0.0.1"), ("PORT", "0")])
            .stderr(Stdio::piped())
            .spawn()?,
    );
    let mut line = String::new();
    let complaints = server.0.stderr.take().ok_or(io::ErrorKind::BrokenPipe)?;
    BufReader::new(complaints).read_line(&mut line)?;
    let address = line.trim().trim_start_matches("listening on ");

    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"GET /healthz HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    Ok(())
}
`;
