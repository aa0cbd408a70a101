// A platform in Java, with its standard library alone: it writes each notification into a journal, answers, and then asks the
// service for the object. Written from the service's document and docs/how-a-good-receiver-works.md.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The HTTP side: what is accepted, and from whom. */
final class Journal {
  private static final int LONGEST_BODY = 1 << 20;
  private static final int HANDLERS = 128;
  private static final long SIGNATURE_AGE_SECONDS = 300;
  private static final Pattern JSON_TYPE = Pattern.compile("application/json *(;.*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern STAMP = Pattern.compile("[0-9]{1,12}");

  private final Map<String, String> options;
  private final Platform platform;

  private Journal(Map<String, String> options) throws IOException {
    this.options = options;
    platform = new Platform(Path.of(options.get("data")), new Service(options.get("service")));
  }

  public static void main(String[] args) throws Exception {
    // HttpsServer asks for the name of each sender, and a name service can take seconds. A file knows names at once.
    System.setProperty("jdk.net.hosts.file", "/etc/hosts");
    var server = "sun.net.httpserver.";
    System.setProperty(server + "nodelay", "true");
    System.setProperty(server + "maxReqTime", "20"); // seconds
    System.setProperty(server + "maxRspTime", "30"); // seconds
    System.setProperty(server + "maxReqHeaderSize", "16384");
    // A sender that cannot send its body to the end does not read the answer.
    System.setProperty(server + "drainAmount", String.valueOf(16 * LONGEST_BODY));
    var options = new HashMap<String, String>();
    for (int at = 0; at + 1 < args.length; at += 2) options.put(args[at].substring(2), args[at + 1]);
    new Journal(options).start();
  }

  private void start() throws Exception {
    var page = HttpServer.create(new InetSocketAddress("127.0.0.1", port("effects-port")), 0);
    page.createContext("/", this::showPage);
    page.setExecutor(Executors.newFixedThreadPool(HANDLERS));
    var door = HttpsServer.create(new InetSocketAddress("localhost", port("port")), 0);
    door.setHttpsConfigurator(new HttpsConfigurator(identity()));
    door.createContext("/", exchange -> answer(exchange, receive(exchange)));
    door.setExecutor(Executors.newFixedThreadPool(HANDLERS));
    page.start();
    door.start();
    platform.start();
    System.out.println("ready");
  }

  private int port(String name) {
    return Integer.parseInt(options.get(name));
  }

  private SSLContext identity() throws IOException, GeneralSecurityException {
    var chain = CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(Path.of(options.get("cert")))))
        .toArray(Certificate[]::new);
    var pem = Files.readString(Path.of(options.get("key"))).replaceAll("-----[^-]+-----", "");
    var key = KeyFactory.getInstance(chain[0].getPublicKey().getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setKeyEntry("receiver", key, new char[0], chain);
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private int receive(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    var target = exchange.getRequestURI();
    var parts = target.getRawPath().split("/", -1);
    var isOurs = parts.length == 4 && target.getRawQuery() == null && Platform.TYPES.contains(parts[2]);
    if (!isOurs || !isEqual(parts[3], options.get("token"))) return 404;
    var isWebhook = parts[1].equals("notifications");
    if (!isWebhook && !parts[1].equals("callbacks")) return 404;
    if (!isFrom(exchange, options.get(isWebhook ? "allow-webhooks" : "allow-callbacks"))) return 403;
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      return 405;
    }
    var type = headers.getFirst("Content-Type");
    if (type == null || !JSON_TYPE.matcher(type).matches()) return 415;
    var length = headers.getFirst("Content-Length");
    var body = length != null && Long.parseLong(length) > LONGEST_BODY ? null : readBody(exchange);
    if (body == null) {
      exchange.getResponseHeaders().set("Connection", "close");
      return 413;
    }
    var signature = String.join(",", headers.getOrDefault("Webhooks-Signature", List.of()));
    if (isWebhook && options.containsKey("secret") && !isSigned(signature, body)) return 401;
    return take(parts[2], body);
  }

  /** Returns null for a body that is too long. */
  private static byte[] readBody(HttpExchange exchange) throws IOException {
    var body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
    return body.length > LONGEST_BODY ? null : body;
  }

  /** Looks at the connection: anybody can write a header. */
  private static boolean isFrom(HttpExchange exchange, String sources) {
    var address = exchange.getRemoteAddress().getAddress().getHostAddress();
    return sources == null || Arrays.asList(sources.split(",")).contains(address);
  }

  /** Compares in constant time. */
  private static boolean isEqual(String given, String wanted) {
    return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
  }

  /** The header has a time and one signature for each secret: t=1767225600,v=…,v=…. */
  private boolean isSigned(String header, byte[] body) {
    var stamp = "";
    var given = new ArrayList<String>();
    for (var part : header.split(",")) {
      var pair = part.strip().split("=", 2);
      if (pair[0].equals("t") && pair.length == 2) stamp = pair[1];
      if (pair[0].equals("v") && pair.length == 2) given.add(pair[1]);
    }
    if (!STAMP.matcher(stamp).matches()) return false;
    var age = Instant.now().getEpochSecond() - Long.parseLong(stamp);
    if (Math.abs(age) > SIGNATURE_AGE_SECONDS) return false;
    var isGenuine = false;
    for (var secret : options.get("secret").split(","))
      for (var value : given) isGenuine |= isEqual(value, sign(secret, stamp, body));
    return isGenuine;
  }

  private static String sign(String secret, String stamp, byte[] body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update((stamp + ".").getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  /** Takes the type and the id of a notification. Everything else comes from the service. */
  private int take(String kind, byte[] body) {
    Map<?, ?> posted;
    try {
      posted = Json.parseObject(body);
    } catch (IllegalArgumentException error) {
      return 400;
    }
    var notified = Known.unwrap(kind, posted);
    var id = Known.idOf(notified.get("id"));
    if (id != null) platform.accept(new Key(kind, id), Known.changedAt(notified));
    var isTest = posted.get("message") instanceof String;
    return id != null || isTest ? 204 : 400;
  }

  /** For tests only, on this machine only: how often the platform acted on an object, and its state. */
  private void showPage(HttpExchange exchange) throws IOException {
    var parts = exchange.getRequestURI().getRawPath().split("/", -1);
    if (exchange.getRequestMethod().equals("POST") && parts[1].equals("reconcile")) {
      answer(exchange, platform.reconcile() ? 204 : 503);
    } else if (parts.length == 4 && parts[1].equals("effects")) {
      var id = URLDecoder.decode(parts[3].replace("+", "%2B"), StandardCharsets.UTF_8);
      var page = Json.write(platform.effectsOf(parts[2], id)).getBytes(StandardCharsets.UTF_8);
      try (exchange) {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
      }
    } else {
      answer(exchange, 404);
    }
  }
}

record Key(String kind, String id) {}

/** An object as the service has shown it, and how often the platform acted on it. A text that the service omits is null. */
record Known(String id, String uuid, String state, Instant changedAt, String amount, String currency,
    String userId, String accountId, int effects) {
  /** One object of each payment: the settlement of a card payment and the batch of a BPAY pay-in are absent. */
  private static final Set<String> ACTED_ON = Set.of("transactions deposit npp_payin",
      "transactions deposit direct_credit", "transactions deposit bpay", "transactions payment credit_card",
      "transactions payment wallet_account_transfer", "batch_transactions disbursement direct_credit",
      "batch_transactions disbursement bpay", "batch_transactions payment direct_debit");
  private static final int LONGEST_ID = 255;
  private static final Pattern NUMERAL = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?");

  /** Reads an object of the service. Effects is 1 if the platform acts on its state. */
  static Known of(String kind, Map<?, ?> shown) {
    var state = text(shown, "state", "status", "verification_state");
    var isActedOn = ACTED_ON.contains(kind + " " + text(shown, "type") + " " + text(shown, "type_method"));
    var isDue = switch (kind) {
      case "virtual_accounts" -> "active".equals(state);
      case "disbursements" -> "successful".equals(state);
      default -> "successful".equals(state) && isActedOn;
    };
    return new Known(idOf(shown.get("id")), text(shown, "uuid"), state, changedAt(shown),
        wholeNumber(shown.get("amount")), text(shown, "currency"), idOf(shown.get("user_id")),
        idOf(shown.get("account_id")), isDue ? 1 : 0);
  }

  static Known read(Map<?, ?> line) {
    return new Known(text(line, "id"), text(line, "uuid"), text(line, "state"),
        Instant.parse(text(line, "changed_at")), text(line, "amount"), text(line, "currency"),
        text(line, "user_id"), text(line, "account_id"), Integer.parseInt(wholeNumber(line.get("effects"))));
  }

  Map<String, Object> toLine() {
    var line = new LinkedHashMap<String, Object>();
    line.put("id", id);
    line.put("uuid", uuid);
    line.put("state", state);
    line.put("changed_at", changedAt.toString());
    line.put("amount", amount);
    line.put("currency", currency);
    line.put("user_id", userId);
    line.put("account_id", accountId);
    line.put("effects", effects);
    return line;
  }

  /** The same act, for the amount and the user of that moment, on an object that has changed since. */
  Known thatBecame(Known now) {
    return new Known(now.id, now.uuid, now.state, now.changedAt, amount, currency, userId, accountId, effects);
  }

  /** Objects are wrapped in their type; virtual accounts are flat. */
  static Map<?, ?> unwrap(String kind, Map<?, ?> body) {
    if (body.get(kind) instanceof Map<?, ?> object) return object;
    return kind.equals("virtual_accounts") ? body : Map.of();
  }

  static String text(Map<?, ?> object, String... names) {
    for (var name : names) if (object.get(name) instanceof String text) return text;
    return null;
  }

  /** Returns the earliest instant if the object does not say when it changed. */
  static Instant changedAt(Map<?, ?> object) {
    var text = text(object, "updated_at", "updatedAt");
    try {
      return text == null ? Instant.MIN : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException error) {
      return Instant.MIN;
    }
  }

  /** Returns an id as text, null if there is none. Half of a surrogate pair is no character, and no part of a URL. */
  static String idOf(Object value) {
    var id = value instanceof String text ? text : wholeNumber(value);
    var isUsable = id != null && !id.matches("\\.*") && id.codePointCount(0, id.length()) <= LONGEST_ID
        && StandardCharsets.UTF_8.newEncoder().canEncode(id);
    return isUsable ? id : null;
  }

  /** Returns the digits of a whole number, however it is written: 1e3 is 1000. Never passes through a float. */
  static String wholeNumber(Object value) {
    if (!(value instanceof Json.Numeral number) || !NUMERAL.matcher(number.digits()).matches()) return null;
    try {
      return new BigDecimal(number.digits()).toBigIntegerExact().toString();
    } catch (ArithmeticException error) {
      return null;
    }
  }
}

/** The journal, and the state that it describes. A line is on disk before anything depends on it. */
final class Platform {
  static final Set<String> TYPES = Set.of("items", "users", "batch_transactions", "accounts", "transactions",
      "disbursements", "companies", "virtual_accounts");

  /**
   * The pauses between two calls for one object, in milliseconds. After the last pause, the object waits for its next
   * notification, for a restart or for a look at what was missed.
   */
  private static final int[] PAUSES_MS =
      {100, 200, 400, 800, 1600, 2000, 2000, 2000, 4000, 8000, 15_000, 30_000, 60_000};

  /** The service may show a new object late, or an older state of it. After so many pauses, its answer counts. */
  private static final int PAUSES_FOR_ANSWER = 7;
  private static final int CALLS_IN_FLIGHT = 16;

  private final FileChannel file;
  private final Service service;
  private final Map<Key, Known> objects = new HashMap<>();
  /** The id of an object, by its uuid. */
  private final Map<Key, String> ids = new HashMap<>();
  private final Map<Key, Job> jobs = new HashMap<>();
  private final ScheduledThreadPoolExecutor calls = new ScheduledThreadPoolExecutor(CALLS_IN_FLIGHT);

  /** An object that the service has yet to be asked for. At most one call for it is in flight. */
  private static final class Job {
    int arrivals;
    int tries;
    /** The latest change that a notification claims. */
    Instant claim = Instant.MIN;
    boolean isInFlight;
    ScheduledFuture<?> next;
  }

  Platform(Path folder, Service service) throws IOException {
    this.service = service;
    calls.setRemoveOnCancelPolicy(true);
    Files.createDirectories(folder);
    var path = folder.resolve("journal.jsonl");
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    // Waits for the end of an earlier process.
    file.lock();
    var end = replay(Files.readAllBytes(path));
    file.truncate(end).position(end).force(true);
    // A new file is lost with the power unless its folder is on disk too.
    try (var parent = FileChannel.open(folder)) {
      parent.force(true);
    }
  }

  void start() {
    askForAll();
    calls.scheduleWithFixedDelay(this::reconcile, 1, 1, TimeUnit.HOURS);
  }

  /** Returns the length of all complete lines. A crash can damage the last line, which nobody was answered for. */
  private int replay(byte[] text) throws IOException {
    var start = 0;
    for (var at = 0; at < text.length; at++) {
      if (text[at] != '\n') continue;
      try {
        var line = Json.parseObject(Arrays.copyOfRange(text, start, at));
        var known = line.get("object") instanceof Map<?, ?> object ? Known.read(object) : null;
        var key = new Key(Known.text(line, "kind"), Known.text(line, "id"));
        apply(key, line.get("pending") == Boolean.TRUE, Instant.parse(Known.text(line, "claim")), known);
      } catch (RuntimeException error) {
        if (at == text.length - 1) return start;
        throw new IOException("the journal is damaged at byte " + start, error);
      }
      start = at + 1;
    }
    return start;
  }

  private void apply(Key key, boolean isPending, Instant claim, Known known) {
    if (known != null) {
      objects.put(new Key(key.kind(), known.id()), known);
      if (known.uuid() != null) ids.put(new Key(key.kind(), known.uuid()), known.id());
    }
    if (!isPending) {
      jobs.remove(key);
      return;
    }
    var job = jobs.computeIfAbsent(key, absent -> new Job());
    if (job.claim.isBefore(claim)) job.claim = claim;
  }

  /** Ends the process if the disk fails: after a failed sync, a later one can succeed without the data. */
  private void write(Key key, boolean isPending, Instant claim, Known known) {
    var line = new LinkedHashMap<String, Object>();
    line.put("kind", key.kind());
    line.put("id", key.id());
    line.put("pending", isPending);
    line.put("claim", claim.toString());
    line.put("object", known == null ? null : known.toLine());
    try {
      var bytes = ByteBuffer.wrap((Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) file.write(bytes);
      file.force(false);
    } catch (IOException error) {
      System.err.println(error);
      Runtime.getRuntime().halt(1);
    }
    apply(key, isPending, claim, known);
  }

  private Known find(String kind, String id) {
    var known = objects.get(new Key(kind, id));
    return known != null ? known : objects.get(new Key(kind, ids.get(new Key(kind, id))));
  }

  synchronized Map<String, Object> effectsOf(String kind, String id) {
    var known = find(kind, id);
    var page = new HashMap<String, Object>();
    page.put("effects", known == null ? 0 : known.effects());
    page.put("state", known == null ? null : known.state());
    if (known == null) return page;
    page.put("currency", known.currency());
    page.put("user_id", known.userId());
    page.put("account_id", known.accountId());
    if (known.amount() != null) page.put("amount", new Json.Numeral(known.amount()));
    return page;
  }

  /** Returns when the notification is on disk. The call to the service follows. */
  synchronized void accept(Key key, Instant claim) {
    write(key, true, claim, null);
    var job = jobs.get(key);
    job.arrivals++;
    job.tries = 0;
    schedule(key, job, 0);
  }

  private synchronized void askForAll() {
    jobs.forEach((key, job) -> {
      job.tries = 0;
      schedule(key, job, 0);
    });
  }

  /** Replaces the time of the next call. Never calls while the service wants no calls. */
  private void schedule(Key key, Job job, long pauseMs) {
    if (job.next != null) job.next.cancel(false);
    job.next = calls.schedule(() -> ask(key, job), Math.max(pauseMs, service.quietMs()), TimeUnit.MILLISECONDS);
  }

  private void ask(Key key, Job job) {
    int arrivals;
    synchronized (this) {
      if (job.isInFlight || jobs.get(key) != job) return;
      job.isInFlight = true;
      arrivals = job.arrivals;
    }
    Known shown = null;
    var isAnswer = true;
    try {
      shown = service.show(key);
    } catch (IOException error) {
      System.err.println(key.kind() + ": " + error);
      isAnswer = false;
    }
    synchronized (this) {
      job.isInFlight = false;
      // Of a notification that came during the call, the answer may know nothing.
      var isLatest = job.arrivals == arrivals;
      var isPending = !conclude(key, job, shown, isAnswer, isLatest);
      if (!isLatest) {
        schedule(key, job, 0);
      } else if (isPending && job.tries < PAUSES_MS.length) {
        // Half of a pause is random, so that many objects do not come back at once.
        var pauseMs = PAUSES_MS[job.tries++];
        schedule(key, job, ThreadLocalRandom.current().nextLong(pauseMs / 2, pauseMs));
      }
    }
  }

  /** Acts on an answer, and returns true if nothing is pending. Shown is null if the service does not know the object. */
  private boolean conclude(Key key, Job job, Known shown, boolean isAnswer, boolean isLatest) {
    var newest = shown == null ? null : learn(key.kind(), shown);
    var isCurrent = newest != null && !newest.changedAt().isBefore(job.claim);
    var isOver = isLatest && (isCurrent || isAnswer && job.tries >= PAUSES_FOR_ANSWER);
    if (newest != null || isOver) write(key, !isOver, job.claim, newest);
    return isOver;
  }

  /** Acts once, for the amount and the user of that moment, and never returns to an older state. */
  private Known learn(String kind, Known now) {
    var before = objects.get(new Key(kind, now.id()));
    if (before == null) return now;
    if (now.changedAt().isBefore(before.changedAt()) && !now.changedAt().equals(Instant.MIN)) return before;
    return before.effects() > 0 ? before.thatBecame(now) : now;
  }

  /** Asks for each object of a failed job, unless its state of then is known. Returns false if the service fails. */
  boolean reconcile() {
    askForAll();
    try {
      for (var webhook : service.list("/webhooks?", "webhooks")) {
        var kind = Known.text(webhook, "object_type");
        var jobsOf = "/webhooks/" + Service.encode(Known.text(webhook, "uuid")) + "/jobs?status=failed&";
        for (var failed : service.list(jobsOf, "jobs"))
          if (TYPES.contains(kind) && failed.get("payload") instanceof Map<?, ?> payload)
            acceptMissed(kind, Known.unwrap(kind, payload));
      }
      return true;
    } catch (IOException | RuntimeException error) {
      System.err.println(error);
      return false;
    }
  }

  private synchronized void acceptMissed(String kind, Map<?, ?> missed) {
    var id = Known.idOf(missed.get("id"));
    var claim = Known.changedAt(missed);
    var known = find(kind, id);
    var isNews = known == null || claim.equals(Instant.MIN) || known.changedAt().isBefore(claim);
    if (id != null && isNews) accept(new Key(kind, id), claim);
  }
}

/** The service, with the token that all calls share. */
final class Service {
  private static final Duration CALL = Duration.ofSeconds(5);
  private static final int LONGEST_ANSWER = 1 << 23;
  private static final long LONGEST_PAUSE_MS = 60_000;
  private static final int PAGE = 200;
  private static final String CREDENTIALS = """
      {"grant_type": "client_credentials", "client_id": "sandbox", "client_secret": "sandbox-secret"}""";

  private final String address;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CALL).build();
  private volatile long quietUntil = System.nanoTime();
  private String token;
  private long tokenUntil;
  private IOException failure;
  private long failedAt = System.nanoTime();

  private record Answer(int status, Map<?, ?> body) {}

  Service(String address) {
    this.address = address;
  }

  /** For how long the service wants no calls. */
  long quietMs() {
    return TimeUnit.NANOSECONDS.toMillis(quietUntil - System.nanoTime());
  }

  static String encode(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns null if the service does not know the object. */
  Known show(Key key) throws IOException {
    var answer = get("/" + key.kind() + "/" + encode(key.id()));
    if (answer.status == 404) return null;
    var shown = Known.unwrap(key.kind(), answer.body);
    var known = Known.of(key.kind(), shown);
    if (known.id() == null || !known.id().equals(key.id()) && !key.id().equals(known.uuid()))
      throw new IOException("the service shows another object");
    var isWhole = known.amount() != null && known.currency() != null || key.kind().equals("virtual_accounts");
    if (known.effects() > 0 && !isWhole) throw new IOException("the service shows money without an amount");
    return known;
  }

  /** All pages of a list. The second call for a page has a new token if the first was refused. */
  List<Map<?, ?>> list(String path, String name) throws IOException {
    var all = new ArrayList<Map<?, ?>>();
    for (var count = PAGE; count == PAGE; ) {
      var address = path + "limit=" + PAGE + "&offset=" + all.size();
      Answer answer;
      try {
        answer = get(address);
      } catch (IOException error) {
        answer = get(address);
      }
      var entries = answer.body.get(name) instanceof List<?> page ? page : List.of();
      for (var entry : entries) all.add(entry instanceof Map<?, ?> map ? map : Map.of());
      count = entries.size();
    }
    return all;
  }

  /** Any status except 200 and 404 is an error. A refused token is forgotten, so that the next call has a new one. */
  private Answer get(String path) throws IOException {
    var used = authorize();
    var answer = call(HttpRequest.newBuilder().header("Authorization", "Bearer " + used), path);
    if (answer.status == 401 || answer.status == 403) {
      // A code says that the object is not there for this platform. The token is good.
      if (answer.body.containsKey("code")) return new Answer(404, answer.body);
      forget(used);
    }
    if (answer.status != 200 && answer.status != 404) throw new IOException("the service answers " + answer.status);
    return answer;
  }

  /** Returns a token that is still good. Callers that wait for one call share its failure. */
  private String authorize() throws IOException {
    var since = System.nanoTime();
    synchronized (this) {
      if (token != null && System.nanoTime() - tokenUntil < 0) return token;
      if (failure != null && failedAt - since > 0) throw failure;
      token = null;
      failure = null;
      try {
        token = fetchToken();
      } catch (IOException error) {
        failure = error;
        failedAt = System.nanoTime();
        throw error;
      }
      return token;
    }
  }

  private String fetchToken() throws IOException {
    var sent = System.nanoTime();
    var request = HttpRequest.newBuilder().header("Content-Type", "application/json");
    var answer = call(request.POST(BodyPublishers.ofString(CREDENTIALS)), "/tokens");
    var given = Known.text(answer.body, "access_token");
    var seconds = Known.wholeNumber(answer.body.get("expires_in"));
    if (answer.status != 200 || given == null || seconds == null || seconds.length() > 9)
      throw new IOException("no token: " + answer.status);
    // A tenth early, so that it does not expire on the way.
    tokenUntil = sent + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(seconds) * 900);
    return given;
  }

  private synchronized void forget(String used) {
    if (used.equals(token)) token = null;
  }

  private Answer call(HttpRequest.Builder request, String path) throws IOException {
    var text = new ByteArrayOutputStream();
    var reader = BodyHandlers.ofByteArrayConsumer(chunk -> {
      chunk.ifPresent(text::writeBytes);
      if (text.size() > LONGEST_ANSWER) throw new IllegalStateException("the answer is too long");
    });
    var sent = client.sendAsync(request.uri(URI.create(address + path)).build(), reader);
    try {
      var reply = sent.get(CALL.toMillis(), TimeUnit.MILLISECONDS);
      reply.headers().firstValue("Retry-After").ifPresent(this::keepQuiet);
      return new Answer(reply.statusCode(), parse(reply.statusCode(), text.toByteArray()));
    } catch (ExecutionException | TimeoutException | InterruptedException error) {
      throw new IOException("the service does not answer", error);
    } finally {
      sent.cancel(true);
    }
  }

  private void keepQuiet(String seconds) {
    if (!seconds.matches("[0-9]{1,9}")) return;
    var pauseMs = Math.min(LONGEST_PAUSE_MS, Long.parseLong(seconds) * 1000);
    quietUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
  }

  private static Map<?, ?> parse(int status, byte[] text) throws IOException {
    try {
      return Json.parseObject(text);
    } catch (IllegalArgumentException error) {
      if (status == 200) throw new IOException(error);
      return Map.of();
    }
  }
}

/** JSON as maps, lists, texts and numerals. What is not UTF-8 or not JSON is an IllegalArgumentException. */
final class Json {
  /** The digits of a number, which keep their exact value. */
  record Numeral(String digits) {}

  private static final int DEEPEST = 200;
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");
  private static final Map<Character, Character> ESCAPES =
      Map.of('"', '"', '\\', '\\', '/', '/', 'b', '\b', 'f', '\f', 'n', '\n', 'r', '\r', 't', '\t');

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Map<?, ?> parseObject(byte[] bytes) {
    try {
      var json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      var value = json.value(0);
      json.skipSpace();
      if (value instanceof Map<?, ?> object && json.at == json.text.length()) return object;
    } catch (CharacterCodingException error) {
      throw new IllegalArgumentException(error);
    }
    throw new IllegalArgumentException("not one JSON object");
  }

  private Object value(int depth) {
    if (depth > DEEPEST) throw wrong();
    skipSpace();
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> list(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
    var object = new LinkedHashMap<String, Object>();
    take('{');
    skipSpace();
    if (peek() != '}') {
      do {
        skipSpace();
        var name = string();
        skipSpace();
        take(':');
        object.put(name, value(depth + 1));
        skipSpace();
      } while (takeIf(','));
    }
    take('}');
    return object;
  }

  private List<Object> list(int depth) {
    var list = new ArrayList<Object>();
    take('[');
    skipSpace();
    if (peek() != ']') {
      do {
        list.add(value(depth + 1));
        skipSpace();
      } while (takeIf(','));
    }
    take(']');
    return list;
  }

  private String string() {
    var string = new StringBuilder();
    take('"');
    while (peek() != '"') {
      var next = text.charAt(at++);
      if (next < ' ') throw wrong();
      string.append(next == '\\' ? escaped() : next);
    }
    take('"');
    return string.toString();
  }

  private char escaped() {
    var kind = peek();
    at++;
    if (ESCAPES.containsKey(kind)) return ESCAPES.get(kind);
    if (kind != 'u' || !text.substring(at, Math.min(at + 4, text.length())).matches("[0-9a-fA-F]{4}")) throw wrong();
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw wrong();
    at += word.length();
    return value;
  }

  private Numeral number() {
    var found = NUMBER.matcher(text).region(at, text.length());
    if (!found.lookingAt()) throw wrong();
    at = found.end();
    return new Numeral(found.group());
  }

  private char peek() {
    if (at >= text.length()) throw wrong();
    return text.charAt(at);
  }

  private void take(char wanted) {
    if (!takeIf(wanted)) throw wrong();
  }

  private boolean takeIf(char wanted) {
    var isThere = peek() == wanted;
    if (isThere) at++;
    return isThere;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("not JSON at character " + at);
  }

  /** Writes an object of texts, numerals, numbers, booleans, nulls and objects. */
  static String write(Map<?, ?> object) {
    var fields = new ArrayList<String>();
    object.forEach((name, value) -> fields.add(quote((String) name) + ":" + writeValue(value)));
    return "{" + String.join(",", fields) + "}";
  }

  private static String writeValue(Object value) {
    if (value instanceof Map<?, ?> object) return write(object);
    if (value instanceof Numeral number) return number.digits();
    return value instanceof String text ? quote(text) : String.valueOf(value);
  }

  private static String quote(String text) {
    var quoted = new StringBuilder("\"");
    for (var next : text.toCharArray()) {
      if (next == '"' || next == '\\') quoted.append('\\').append(next);
      else if (next < ' ') quoted.append(String.format("\\u%04x", (int) next));
      else quoted.append(next);
    }
    return quoted.append('"').toString();
  }
}
