// A platform in Go, with its standard library alone: it writes each notification into a journal, answers, and then asks the
// service for the object. Written from the service's document and docs/how-a-good-receiver-works.md.
package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/big"
	"math/rand"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"
)

const (
	longestBody      = 1 << 20
	longestAnswer    = 8 << 20
	longestID        = 255
	signatureAge     = 5 * time.Minute
	callTimeout      = 5 * time.Second
	callsInFlight    = 16
	longestPause     = time.Minute
	timeBetweenLooks = time.Hour
)

// The pauses between two calls for one object. After the last pause, the object waits for its next notification, a restart
// or a look at what was missed.
var pausesMs = []int64{100, 200, 400, 800, 1600, 2000, 2000, 2000, 4000, 8000, 15_000, 30_000, 60_000}

// The service may show a new object late, or an older state of it. After so many pauses, its answer counts.
const pausesForAnswer = 7

var options struct {
	port, effectsPort, cert, key, data, service, token, secrets, webhookSources, callbackSources string
}

var types = setOf("items", "users", "batch_transactions", "accounts", "transactions", "disbursements", "companies",
	"virtual_accounts")

// The platform acts on one object of each payment: the settlement of a card payment and the batch of a BPAY pay-in are absent.
var actedOn = setOf("transactions deposit npp_payin", "transactions deposit direct_credit", "transactions deposit bpay",
	"transactions payment credit_card", "transactions payment wallet_account_transfer",
	"batch_transactions disbursement direct_credit", "batch_transactions disbursement bpay",
	"batch_transactions payment direct_debit")

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// Returns an error for text that is not UTF-8 or not exactly one JSON object. Numbers keep their digits.
func parse(text []byte) (map[string]any, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); object == nil || err != io.EOF {
		return nil, errors.New("not one JSON object")
	}
	return object, nil
}

var numeral = regexp.MustCompile(`^-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?$`)

// Returns the digits of a whole number, however it is written: 1e3 is 1000. Never passes through a float.
func wholeNumber(value any) (string, bool) {
	number, isNumber := value.(json.Number)
	if !isNumber || !numeral.MatchString(number.String()) {
		return "", false
	}
	exact, isExact := new(big.Rat).SetString(number.String())
	if !isExact || !exact.IsInt() {
		return "", false
	}
	return exact.Num().String(), true
}

// Returns an id as text, "" if there is none. Half a surrogate pair is decoded as U+FFFD and would make two ids one.
func idOf(value any) string {
	id, isText := value.(string)
	if !isText {
		id, _ = wholeNumber(value)
	}
	isDots := strings.Trim(id, ".") == ""
	if isDots || utf8.RuneCountInString(id) > longestID || strings.ContainsRune(id, utf8.RuneError) {
		return ""
	}
	return id
}

func textOf(object map[string]any, names ...string) string {
	for _, name := range names {
		if text, isText := object[name].(string); isText {
			return text
		}
	}
	return ""
}

// Returns the zero time if the object does not say when it changed.
func changedAt(object map[string]any) time.Time {
	instant, err := time.Parse(time.RFC3339Nano, textOf(object, "updated_at", "updatedAt"))
	instant = instant.UTC()
	if err != nil || instant.Year() < 1 || instant.Year() > 9999 {
		return time.Time{}
	}
	return instant
}

// Objects are wrapped in their type; virtual accounts are flat.
func unwrap(kind string, body map[string]any) map[string]any {
	if object, isWrapped := body[kind].(map[string]any); isWrapped {
		return object
	}
	if kind == "virtual_accounts" {
		return body
	}
	return nil
}

type key struct{ kind, id string }

// An object as the service has shown it, and how often the platform acted on it.
type object struct {
	ID        string    `json:"id"`
	UUID      string    `json:"uuid,omitempty"`
	State     string    `json:"state,omitempty"`
	ChangedAt time.Time `json:"changed_at"`
	Amount    string    `json:"amount,omitempty"`
	Currency  string    `json:"currency,omitempty"`
	UserID    string    `json:"user_id,omitempty"`
	AccountID string    `json:"account_id,omitempty"`
	Effects   int       `json:"effects"`
}

// Reads an object of the service. Effects is 1 if the platform acts on its state.
func readObject(kind string, shown map[string]any) (*object, error) {
	read := object{
		ID: idOf(shown["id"]), UUID: textOf(shown, "uuid"), ChangedAt: changedAt(shown),
		State: textOf(shown, "state", "status", "verification_state"), Currency: textOf(shown, "currency"),
		UserID: idOf(shown["user_id"]), AccountID: idOf(shown["account_id"]),
	}
	read.Amount, _ = wholeNumber(shown["amount"])
	isActivated := kind == "virtual_accounts" && read.State == "active"
	movesMoney := kind == "disbursements" ||
		actedOn[kind+" "+textOf(shown, "type")+" "+textOf(shown, "type_method")]
	isPaid := movesMoney && read.State == "successful"
	if isPaid && (read.Amount == "" || read.Currency == "") {
		return nil, errors.New("the service shows money without an amount")
	}
	if isPaid || isActivated {
		read.Effects = 1
	}
	return &read, nil
}

// A line of the journal. Pending: the service has yet to be asked for the object.
type line struct {
	Kind    string    `json:"kind"`
	ID      string    `json:"id"`
	Pending bool      `json:"pending"`
	Claim   time.Time `json:"claim"`
	Object  *object   `json:"object,omitempty"`
}

// An object that the service has yet to be asked for. At most one call for it is in flight.
type job struct {
	arrivals, tries int
	claim           time.Time // the latest change that a notification claims
	isInFlight      bool
	timer           *time.Timer
}

// The journal, and the state that it describes. A line is on disk before anything depends on it.
type platform struct {
	sync.Mutex
	file    *os.File
	objects map[key]object
	uuids   map[key]string // the id of an object, by its uuid
	jobs    map[key]*job
	service service
	slots   chan struct{}
}

func openPlatform(folder string) (*platform, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(folder, "journal.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	// Waits for the end of an earlier process.
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	opened := &platform{
		file: file, objects: map[key]object{}, uuids: map[key]string{}, jobs: map[key]*job{},
		slots: make(chan struct{}, callsInFlight),
	}
	end, err := opened.replay()
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(end); err != nil {
		return nil, err
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return nil, err
	}
	if err := file.Sync(); err != nil {
		return nil, err
	}
	return opened, syncFolder(folder)
}

// A new file is lost with the power unless its folder is on disk too.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// Returns the length of all complete lines. A crash can damage the last line, which nobody was answered for.
func (p *platform) replay() (int64, error) {
	reader := bufio.NewReader(p.file)
	var end int64
	for {
		text, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return end, nil
		}
		if err != nil {
			return end, err
		}
		var read line
		if err := json.Unmarshal(text, &read); err != nil {
			if _, err := reader.Peek(1); err == io.EOF {
				return end, nil
			}
			return end, fmt.Errorf("the journal is damaged at byte %d: %w", end, err)
		}
		end += int64(len(text))
		p.apply(read)
	}
}

func (p *platform) apply(read line) {
	k := key{read.Kind, read.ID}
	if read.Object != nil {
		p.objects[key{read.Kind, read.Object.ID}] = *read.Object
		if read.Object.UUID != "" {
			p.uuids[key{read.Kind, read.Object.UUID}] = read.Object.ID
		}
	}
	if !read.Pending {
		delete(p.jobs, k)
	} else if p.jobs[k] == nil {
		p.jobs[k] = &job{claim: read.Claim}
	} else if p.jobs[k].claim.Before(read.Claim) {
		p.jobs[k].claim = read.Claim
	}
}

// Ends the process if the disk fails: after a failed sync, a later one can succeed without the data.
func (p *platform) write(written line) {
	text, err := json.Marshal(written)
	if err == nil {
		_, err = p.file.Write(append(text, '\n'))
	}
	if err == nil {
		err = p.file.Sync()
	}
	if err != nil {
		log.Fatal(err)
	}
	p.apply(written)
}

func (p *platform) find(kind, id string) (object, bool) {
	if found, isKnown := p.objects[key{kind, id}]; isKnown {
		return found, true
	}
	found, isKnown := p.objects[key{kind, p.uuids[key{kind, id}]}]
	return found, isKnown
}

// Returns when the notification is on disk. The call to the service follows.
func (p *platform) accept(k key, claim time.Time) {
	p.Lock()
	defer p.Unlock()
	p.write(line{Kind: k.kind, ID: k.id, Pending: true, Claim: claim})
	p.jobs[k].arrivals++
	p.jobs[k].tries = 0
	p.schedule(k, 0)
}

func (p *platform) askForAll() {
	p.Lock()
	defer p.Unlock()
	for k, pending := range p.jobs {
		pending.tries = 0
		p.schedule(k, 0)
	}
}

// Replaces the time of the next call. Never calls while the service wants no calls.
func (p *platform) schedule(k key, pause time.Duration) {
	pending := p.jobs[k]
	if pending.timer != nil {
		pending.timer.Stop()
	}
	if quiet := time.Until(time.Unix(0, p.service.quietUntil.Load())); quiet > pause {
		pause = quiet
	}
	pending.timer = time.AfterFunc(pause, func() { p.ask(k, pending) })
}

func (p *platform) ask(k key, pending *job) {
	p.Lock()
	defer p.Unlock()
	if pending.isInFlight || p.jobs[k] != pending {
		return
	}
	pending.isInFlight = true
	arrivals := pending.arrivals
	p.Unlock()
	p.slots <- struct{}{}
	shown, err := p.service.show(k)
	<-p.slots
	p.Lock()
	pending.isInFlight = false
	if err != nil {
		log.Printf("%s: %v", k.kind, err)
	}
	// Of a notification that came during the call, the answer may know nothing.
	isLatest := pending.arrivals == arrivals
	isPending := !p.conclude(k, pending, shown, err == nil, isLatest)
	if !isLatest {
		p.schedule(k, 0)
	} else if isPending && pending.tries < len(pausesMs) {
		// Half of a pause is random, so that many objects do not come back at once.
		half := pausesMs[pending.tries] / 2
		pending.tries++
		p.schedule(k, time.Duration(half+rand.Int63n(half))*time.Millisecond)
	}
}

// Acts on an answer, and returns true if nothing is pending. Shown is nil if the service does not know the object.
func (p *platform) conclude(k key, pending *job, shown *object, isAnswer, isLatest bool) bool {
	written := line{Kind: k.kind, ID: k.id, Claim: pending.claim}
	isTrue := isAnswer && pending.tries >= pausesForAnswer
	if shown != nil {
		newest := p.learn(k.kind, *shown)
		written.Object = &newest
		isTrue = isTrue || !newest.ChangedAt.Before(pending.claim)
	}
	written.Pending = !isTrue || !isLatest
	if shown != nil || !written.Pending {
		p.write(written)
	}
	return !written.Pending
}

// Acts once, for the amount and the user of that moment, and never returns to an older state.
func (p *platform) learn(kind string, shown object) object {
	before := p.objects[key{kind, shown.ID}]
	if shown.ChangedAt.Before(before.ChangedAt) && !shown.ChangedAt.IsZero() {
		return before
	}
	if before.Effects > 0 {
		shown.Effects, shown.Amount, shown.Currency = before.Effects, before.Amount, before.Currency
		shown.UserID, shown.AccountID = before.UserID, before.AccountID
	}
	return shown
}

// The token that all calls share, and the time until which the service wants no calls.
type service struct {
	sync.Mutex
	token      string
	until      time.Time
	failure    error
	failedAt   time.Time
	quietUntil atomic.Int64
}

type answer struct {
	status int
	body   map[string]any
}

var client = &http.Client{
	Timeout:       callTimeout,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (s *service) call(method, path, token, body string) (*answer, error) {
	request, err := http.NewRequest(method, options.service+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	reply, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, longestAnswer))
	if err != nil {
		return nil, err
	}
	if seconds, _ := strconv.ParseUint(reply.Header.Get("Retry-After"), 10, 16); seconds > 0 {
		quiet := time.Duration(seconds) * time.Second
		if quiet > longestPause {
			quiet = longestPause
		}
		s.quietUntil.Store(time.Now().Add(quiet).UnixNano())
	}
	object, err := parse(text)
	if reply.StatusCode == http.StatusOK && err != nil {
		return nil, err
	}
	return &answer{reply.StatusCode, object}, nil
}

// Returns a token that is still good. Callers that wait for one call share its failure.
func (s *service) authorize() (string, error) {
	since := time.Now()
	s.Lock()
	defer s.Unlock()
	if s.token != "" && time.Now().Before(s.until) {
		return s.token, nil
	}
	if s.failedAt.After(since) {
		return "", s.failure
	}
	s.token, s.failure = s.fetchToken()
	if s.failure != nil {
		s.failedAt = time.Now()
	}
	return s.token, s.failure
}

func (s *service) fetchToken() (string, error) {
	sent := time.Now()
	reply, err := s.call("POST", "/tokens", "",
		`{"grant_type":"client_credentials","client_id":"sandbox","client_secret":"sandbox-secret"}`)
	if err != nil {
		return "", err
	}
	token := textOf(reply.body, "access_token")
	lifetime, _ := wholeNumber(reply.body["expires_in"])
	seconds, err := strconv.Atoi(lifetime)
	if reply.status != http.StatusOK || token == "" || err != nil {
		return "", fmt.Errorf("no token: %d", reply.status)
	}
	// A tenth early, so that it does not expire on the way.
	s.until = sent.Add(time.Duration(seconds) * time.Second * 9 / 10)
	return token, nil
}

func (s *service) forget(token string) {
	s.Lock()
	defer s.Unlock()
	if s.token == token {
		s.token = ""
	}
}

// Any status except 200 and 404 is an error. A refused token is forgotten, so that the next call has a new one.
func (s *service) get(path string) (*answer, error) {
	token, err := s.authorize()
	if err != nil {
		return nil, err
	}
	reply, err := s.call("GET", path, token, "")
	if err != nil {
		return nil, err
	}
	if reply.status == http.StatusUnauthorized || reply.status == http.StatusForbidden {
		// A code says that the object is not there for this platform. The token is good.
		if _, hasCode := reply.body["code"]; hasCode {
			reply.status = http.StatusNotFound
		} else {
			s.forget(token)
		}
	}
	if reply.status != http.StatusOK && reply.status != http.StatusNotFound {
		return nil, fmt.Errorf("the service answers %d", reply.status)
	}
	return reply, nil
}

// Nil if the service does not know the object.
func (s *service) show(k key) (*object, error) {
	reply, err := s.get("/" + k.kind + "/" + url.PathEscape(k.id))
	if err != nil || reply.status == http.StatusNotFound {
		return nil, err
	}
	shown := unwrap(k.kind, reply.body)
	if idOf(shown["id"]) == "" || (idOf(shown["id"]) != k.id && textOf(shown, "uuid") != k.id) {
		return nil, errors.New("the service shows another object")
	}
	return readObject(k.kind, shown)
}

// All pages of a list. The second call for a page has a new token if the first was refused.
func (s *service) list(path, name string) (all []map[string]any, err error) {
	const limit = 200
	for isLast := false; !isLast; {
		address := fmt.Sprintf("%slimit=%d&offset=%d", path, limit, len(all))
		reply, err := s.get(address)
		if err != nil {
			reply, err = s.get(address)
		}
		if err != nil {
			return nil, err
		}
		page, _ := reply.body[name].([]any)
		for _, each := range page {
			entry, _ := each.(map[string]any)
			all = append(all, entry)
		}
		isLast = len(page) < limit
	}
	return all, nil
}

// Asks for each object of a failed job, unless its state of then is known.
func (p *platform) lookForMissed() error {
	p.askForAll()
	webhooks, err := p.service.list("/webhooks?", "webhooks")
	if err != nil {
		return err
	}
	for _, webhook := range webhooks {
		kind := textOf(webhook, "object_type")
		id := url.PathEscape(textOf(webhook, "uuid"))
		failed, err := p.service.list("/webhooks/"+id+"/jobs?status=failed&", "jobs")
		if err != nil {
			return err
		}
		for _, each := range failed {
			payload, _ := each["payload"].(map[string]any)
			p.acceptMissed(kind, unwrap(kind, payload))
		}
	}
	return nil
}

func (p *platform) acceptMissed(kind string, missed map[string]any) {
	id, claim := idOf(missed["id"]), changedAt(missed)
	p.Lock()
	known, isKnown := p.find(kind, id)
	p.Unlock()
	isNews := !isKnown || claim.IsZero() || known.ChangedAt.Before(claim)
	if types[kind] && id != "" && isNews {
		p.accept(key{kind, id}, claim)
	}
}

// The header has a time and one signature for each secret: t=1767225600,v=…,v=….
func isSigned(header string, body []byte) bool {
	var stamp string
	var given []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			stamp = value
		case "v":
			given = append(given, value)
		}
	}
	seconds, err := strconv.ParseUint(stamp, 10, 40)
	age := time.Since(time.Unix(int64(seconds), 0))
	if err != nil || age > signatureAge || age < -signatureAge {
		return false
	}
	isGenuine := false
	for _, secret := range strings.Split(options.secrets, ",") {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(stamp + "."))
		mac.Write(body)
		wanted := []byte(base64.RawURLEncoding.EncodeToString(mac.Sum(nil)))
		for _, value := range given {
			isGenuine = hmac.Equal([]byte(value), wanted) || isGenuine
		}
	}
	return isGenuine
}

// Looks at the connection: anybody can write a header.
func isFrom(request *http.Request, sources string) bool {
	host, _, _ := net.SplitHostPort(request.RemoteAddr)
	return sources == "" || setOf(strings.Split(sources, ",")...)[host]
}

func (p *platform) receive(writer http.ResponseWriter, request *http.Request) int {
	parts := strings.Split(request.URL.EscapedPath(), "/")
	isOurs := len(parts) == 4 && types[parts[2]] && request.URL.RawQuery == ""
	if !isOurs || subtle.ConstantTimeCompare([]byte(parts[3]), []byte(options.token)) != 1 {
		return http.StatusNotFound
	}
	sources := map[string]string{"notifications": options.webhookSources, "callbacks": options.callbackSources}
	allowed, isGeneration := sources[parts[1]]
	if !isGeneration {
		return http.StatusNotFound
	}
	if !isFrom(request, allowed) {
		return http.StatusForbidden
	}
	if request.Method != http.MethodPost {
		writer.Header().Set("Allow", "POST")
		return http.StatusMethodNotAllowed
	}
	media, _, err := mime.ParseMediaType(request.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return http.StatusUnsupportedMediaType
	}
	if request.ContentLength > longestBody {
		return http.StatusRequestEntityTooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, longestBody))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return http.StatusRequestEntityTooLarge
	}
	if err != nil {
		return http.StatusBadRequest
	}
	isWebhook := parts[1] == "notifications"
	signature := strings.Join(request.Header.Values("Webhooks-Signature"), ",")
	if isWebhook && options.secrets != "" && !isSigned(signature, body) {
		return http.StatusUnauthorized
	}
	return p.take(parts[2], body)
}

// Takes the type and the id of a notification. Everything else comes from the service.
func (p *platform) take(kind string, body []byte) int {
	posted, err := parse(body)
	if err != nil {
		return http.StatusBadRequest
	}
	notified := unwrap(kind, posted)
	if id := idOf(notified["id"]); id != "" {
		p.accept(key{kind, id}, changedAt(notified))
		return http.StatusNoContent
	}
	if _, isTest := posted["message"].(string); isTest {
		return http.StatusNoContent
	}
	return http.StatusBadRequest
}

// For tests only, on this machine only: how often the platform acted on an object, and its state.
func (p *platform) showPage(writer http.ResponseWriter, request *http.Request) {
	parts := strings.Split(request.URL.EscapedPath(), "/")
	if request.Method == http.MethodPost && parts[1] == "reconcile" {
		writer.WriteHeader(p.reconcile())
	} else if len(parts) == 4 && parts[1] == "effects" {
		id, _ := url.PathUnescape(parts[3])
		p.showEffects(writer, parts[2], id)
	} else {
		writer.WriteHeader(http.StatusNotFound)
	}
}

func (p *platform) showEffects(writer http.ResponseWriter, kind, id string) {
	p.Lock()
	known, _ := p.find(kind, id)
	p.Unlock()
	page := map[string]any{"effects": known.Effects, "state": nil}
	for name, value := range map[string]string{
		"state": known.State, "currency": known.Currency, "user_id": known.UserID, "account_id": known.AccountID,
	} {
		if value != "" {
			page[name] = value
		}
	}
	if known.Amount != "" {
		page["amount"] = json.Number(known.Amount)
	}
	writer.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(writer).Encode(page)
}

func (p *platform) reconcile() int {
	if err := p.lookForMissed(); err != nil {
		log.Print(err)
		return http.StatusServiceUnavailable
	}
	return http.StatusNoContent
}

func listen(address string, handler http.Handler) (net.Listener, *http.Server) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	return listener, &http.Server{
		Handler: handler, MaxHeaderBytes: 16 << 10, ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: 20 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		// Without HTTP/2, which the service does not speak.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
}

func main() {
	for name, value := range map[string]*string{
		"port": &options.port, "effects-port": &options.effectsPort, "cert": &options.cert, "key": &options.key,
		"data": &options.data, "service": &options.service, "token": &options.token, "secret": &options.secrets,
		"allow-webhooks": &options.webhookSources, "allow-callbacks": &options.callbackSources,
	} {
		flag.StringVar(value, name, "", "")
	}
	flag.Parse()
	opened, err := openPlatform(options.data)
	if err != nil {
		log.Fatal(err)
	}
	inside, page := listen("127.0.0.1:"+options.effectsPort, http.HandlerFunc(opened.showPage))
	outside, door := listen("localhost:"+options.port, http.HandlerFunc(
		func(writer http.ResponseWriter, request *http.Request) {
			writer.WriteHeader(opened.receive(writer, request))
		}))
	go func() { log.Fatal(page.Serve(inside)) }()
	go func() {
		for range time.Tick(timeBetweenLooks) {
			opened.reconcile()
		}
	}()
	opened.askForAll()
	fmt.Println("ready")
	log.Fatal(door.ServeTLS(outside, options.cert, options.key))
}
