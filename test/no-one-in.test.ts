import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What nobody may do to a listener, and the test that holds it: its file and a part of its name. */
const HELD_BY: readonly (readonly [what: string, file: string, title: string])[] = [
  ['malformed, deep, large or unsafe bodies', 'end-to-end/inputs/bodies', 'a body with %s is refused'],
  ['bodies without an end', 'end-to-end/inputs/limits', 'a gigabyte in chunks is refused'],
  ['a second enabled registration', 'sandbox/api/operations/webhooks', 'a second enabled webhook of a type'],
  ['100 enabled at once, each type', 'proofs/enables/enables', 'exactly one is enabled, whatever the type'],
  [
    'two enabled by test POSTs that end together',
    'sandbox/api/operations/callback-places',
    'whose test POSTs are answered at the same time',
  ],
  [
    'enabled or deleted during a test POST',
    'sandbox/api/operations/callback-places',
    'a place that was taken during the test POST',
  ],
  ['disabled or deleted while it is changed', 'sandbox/compose/atomicity', 'deleted while it is changed'],
  ['100 test POSTs that hang', 'sandbox/api/many-callers', 'whose test POST is not answered hold up nobody'],
  ['wrong grants and secrets', 'sandbox/api/http/read-input', 'POST /tokens refuses %s'],
  ['tokens of another run', 'sandbox/api/http/authenticate', 'answer 403 to a token %s'],
  ['the age of a token', 'sandbox/api/http/authenticate', 'does not grow old by the sandbox'],
  ['500 slow callers', 'end-to-end/crowds-at-doors', '500 callers at each listener'],
  ['callers that do not come to an end', 'sandbox/adapters/node-server', 'that do not come to an end'],
  ['YAML that grows, nests or names __proto__', 'generators/cli/input-files', 'readVocabulary() refuses %s'],
  ['a schema library that is open to attack', 'architecture', 'is broken by %s'],
  ['a change without a registration', 'sandbox/engine/notifications/outbox', 'makes no job'],
  ['100 changes at once', 'sandbox/engine/notifications/outbox', 'a hundred changes at once'],
  ['a change that changes nothing', 'sandbox/engine/notifications/outbox', 'makes no revision and no job'],
  ['the job of another webhook', 'sandbox/api/http/app', 'cannot be told from none'],
  ['a resend of what was delivered', 'sandbox/api/control/resend', 'a job that was delivered is not resent'],
  ['a resend under way', 'sandbox/api/control/resend', 'a job whose attempt is under way is not resent'],
  ['a resend of what was given up', 'sandbox/api/control/resend', 'marked as manual, and no schedule'],
  ['headers within headers', 'sandbox/api/control/deliveries', 'is refused, and nothing is sent'],
  ['text that steers a terminal or a log', 'sandbox/engine/core/printable', 'makes one harmless line of %j'],
  ['headers kept for ever', 'sandbox/api/many-callers', 'nothing is kept of headers that differ'],
  ['WebSockets', 'end-to-end/inputs/calls', 'an upgrade to a WebSocket is not made'],
  ['readers that never read', 'end-to-end/crowds', 'cost little and hold up no delivery'],
  ['readers that come again and again', 'end-to-end/crowds-at-doors', '450 readers of events hear'],
  ['listening beyond loopback', 'end-to-end/loopback-only', 'listens on two ports of 127.0.0.1'],
  ['an option to listen elsewhere', 'end-to-end/loopback-only', 'no option makes a sandbox listen elsewhere'],
  ['other hosts, origins and sites', 'end-to-end/inputs/calls', 'refused before anything looks at it'],
  ['pages in a browser', 'browser/attacks', 'no page of another origin gets through'],
  ['a token that can be guessed or read', 'end-to-end/loopback-only', 'has a token of 256 bits of its own'],
  ['no token, a cookie, another token', 'end-to-end/inputs/listener-rules', 'refuses who has no token'],
  ['a form that changes something', 'end-to-end/inputs/listener-rules', 'takes it as JSON'],
  ['a GET that changes something', 'end-to-end/inputs/listener-rules', 'changes anything'],
  ['one listener for the other', 'end-to-end/inputs/listener-rules', 'neither listener answers'],
  ['forbidden addresses', 'end-to-end/addresses', 'no spelling of a forbidden address is called'],
  ['an address judged too early', 'end-to-end/transport-addresses', 'judges the address that it reached'],
  ['deadlines and sizes of answers', 'end-to-end/receiver-faults', 'every fault of the list has its rows'],
  ['markup in the page', 'sandbox/api/http/dashboard-pages', 'headers that shut everything else out'],
  ['secrets left behind', 'end-to-end/left-secrets', 'in nothing else that a run leaves'],
  ['too long, too slow, too many', 'end-to-end/inputs/limits', 'give headers 10 seconds and 16 KB'],
  ['more connections than are served', 'end-to-end/crowds', 'of 1,500 connections the first 1,000'],
  ['packages that run or change', 'supply', 'every package that is installed is the one'],
]

test.each(HELD_BY)('against %s there is a test', (_, file, title) => {
  expect(readFileSync(new URL(`${file}.test.ts`, import.meta.url), 'utf8')).toContain(title)
})
