import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { port, projectName } from "../shared/parameters.js";
import { FOLDER, groupId, PACKAGE } from "./toolchain.js";

const template = templatesOf("java");

const about = (kind: string): string => `/** The ${kind} {{ project_name | kebab }}. */`;

// A line of ours that begins with @ would be taken for a decorator.
const FACT = "@Test";

const PROGRAM = `package ${PACKAGE};

import java.io.PrintStream;
import java.util.List;

${about("program")}
public final class Main {
  private Main() {}

  /** Starts the program. */
  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  /** Greets everybody who is named, or the world, and gives the exit status. */
  static int run(List<String> args, PrintStream out, PrintStream complaints) {
    var option = args.stream().filter(arg -> arg.startsWith("-")).findFirst();
    if (option.isPresent()) {
      complaints.println("there is no option " + option.get());
      return 2;
    }
    (args.isEmpty() ? List.of("world") : args).forEach(name -> out.println(greet(name)));
    return 0;
  }

  static String greet(String name) {
    return "Hello, " + name + "!";
  }
}
`;

const TEST = `package ${PACKAGE};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String... args) {
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return Main.run(List.of(args), stream, stream);
  }

  ${FACT}
  void greetsByName() {
    assertEquals("Hello, Ada!", Main.greet("Ada"));
  }

  ${FACT}
  void greetsTheWorldWhenNobodyIsNamed() {
    assertEquals(0, run());
    assertEquals("Hello, world!", out.toString(StandardCharsets.UTF_8).strip());
  }

  ${FACT}
  void refusesAnUnknownOption() {
    assertEquals(2, run("--loud"));
  }
}
`;

const LIBRARY = `package ${PACKAGE};

${about("library")}
public final class Greeting {
  private Greeting() {}

  /** Greets somebody. */
  public static String of(String name) {
    return "Hello, " + name + "!";
  }
}
`;

const LIBRARY_TEST = `package ${PACKAGE};

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GreetingTest {
  ${FACT}
  void greetsByName() {
    assertEquals("Hello, Ada!", Greeting.of("Ada"));
  }
}
`;

const SERVER = `package ${PACKAGE};

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

${about("server")}
public final class Main {
  private static final String DEFAULT_PORT = "{{ port }}";

  /** What a request is answered with. */
  record Answer(int status, String body) {}

  private Main() {}

  /** Starts the server, which runs until the process ends. */
  public static void main(String[] args) throws IOException {
    var environment = System.getenv();
    var host = environment.getOrDefault("HOST", "127.0.0.1");
    var port = Integer.parseInt(environment.getOrDefault("PORT", DEFAULT_PORT));
    var server = create(new InetSocketAddress(host, port));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(5)));
    server.start();
    System.out.println("listening on " + server.getAddress());
  }

  static HttpServer create(InetSocketAddress address) throws IOException {
    var server = HttpServer.create(address, 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", Main::handle);
    return server;
  }

  private static void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var answer = answer(exchange.getRequestMethod(), exchange.getRequestURI().getPath());
      var bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  static Answer answer(String method, String path) {
    if (!method.equals("GET")) {
      return new Answer(405, "{\\"error\\":\\"method not allowed\\"}");
    }
    return switch (path) {
      case "/" -> new Answer(200, "{\\"message\\":\\"Hello, world!\\"}");
      case "/healthz" -> new Answer(200, "{\\"status\\":\\"ok\\"}");
      default -> new Answer(404, "{\\"error\\":\\"not found\\"}");
    };
  }
}
`;

const SERVER_TEST = `package ${PACKAGE};

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MainTest {
  ${FACT}
  void saysThatItIsWell() {
    assertEquals(new Main.Answer(200, "{\\"status\\":\\"ok\\"}"), Main.answer("GET", "/healthz"));
  }

  ${FACT}
  void refusesWhatItDoesNotKnow() {
    assertEquals(404, Main.answer("GET", "/nowhere").status());
    assertEquals(405, Main.answer("POST", "/").status());
  }
}
`;

const source = (variant: string, what: string, name: string, body: string, more: readonly (typeof port)[] = []) =>
  template("source", variant, {
    description: `First code of a Java ${what}.`,
    filename: `src/main/java/${FOLDER}/${name}.java`,
    parameters: [projectName, groupId, ...more],
    body,
  });

const test = (variant: string, what: string, name: string, body: string) =>
  template("test", variant, {
    description: `First tests of a Java ${what}.`,
    filename: `src/test/java/${FOLDER}/${name}.java`,
    parameters: [projectName, groupId],
    body,
  });

/** The first code of a Java project. */
export const sources: readonly TemplateSource[] = [
  source("cli", "program", "Main", PROGRAM),
  source("lib", "library", "Greeting", LIBRARY),
  source("service", "server that answers HTTP", "Main", SERVER, [port]),
  test("cli", "program", "MainTest", TEST),
  test("lib", "library", "GreetingTest", LIBRARY_TEST),
  test("service", "server", "MainTest", SERVER_TEST),
];
