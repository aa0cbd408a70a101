import { edit, KEEP, OK, type UnlistedDefect } from './edits.ts'

/** Concurrency, calls back, persistence, HTTP and time. */
export const workingDefects: readonly UnlistedDefect[] = [
  {
    name: 'concurrency/drops-while-busy',
    about: 'It drops a notification about an object that it asks for at the moment.',
    edits: [edit('main.mjs', KEEP, `  if (running.has(\`\${type} \${id}\`)) return 204\n${KEEP}`)],
  },
  {
    name: 'concurrency/debounces',
    about: 'It drops a notification about an object that it was notified of within the last second.',
    edits: [
      edit('main.mjs', 'let timer\n', 'let timer\nconst last = new Map()\n'),
      edit(
        'main.mjs',
        KEEP,
        `  const recent = last.get(id) ?? 0\n  last.set(id, Date.now())\n  if (Date.now() - recent < 1_000) return 204\n${KEEP}`,
      ),
    ],
  },
  {
    name: 'concurrency/shared-variable',
    about: 'It keeps the answer of the service in a variable that all calls share.',
    edits: [
      edit('main.mjs', 'let timer\n', 'let timer\nlet shown\n'),
      edit(
        'main.mjs',
        'if (body !== undefined) return conclude(notifications, readObject(body, type, id), { canReplace, act })',
        `if (body !== undefined) {
    shown = body
    await new Promise((resolve) => setTimeout(resolve, 1))
    return conclude(notifications, readObject(shown, type, id), { canReplace, act })
  }`,
      ),
    ],
  },
  {
    name: 'concurrency/newest-five',
    about: 'It keeps at most five notifications at a time.',
    edits: [
      edit(
        'store.mjs',
        '  insert.run(type, id)\n',
        "  insert.run(type, id)\n  database.exec('DELETE FROM inbox WHERE number NOT IN (SELECT number FROM inbox ORDER BY number DESC LIMIT 5)')\n",
      ),
    ],
  },
  {
    name: 'call-back/three-tries',
    about: 'It gives up after the third call that fails.',
    edits: [
      edit(
        'main.mjs',
        'if (isMissing && attempts >= 3)',
        'if ((isMissing && attempts >= 3) || attempts >= 2)',
      ),
    ],
  },
  {
    name: 'call-back/no-time-out',
    about: 'It waits for ever for the answer to a call.',
    edits: [
      edit(
        'service.mjs',
        "    redirect: 'manual',\n    signal: AbortSignal.timeout(TIMEOUT_MS),\n",
        "    redirect: 'manual',\n",
      ),
    ],
  },
  {
    name: 'call-back/broken-answer-is-an-answer',
    about: 'It takes a call that breaks off for an answer without an object.',
    edits: [
      edit(
        'service.mjs',
        '  } catch {\n    return { retryAfterMs: 0 }',
        '  } catch {\n    return { body: null }',
      ),
    ],
  },
  {
    name: 'call-back/any-status-is-an-answer',
    about: 'It reads the body of a call whatever its status.',
    edits: [
      edit('service.mjs', OK, 'if (status === 200 || status >= 500) return { body: await response.json() }'),
    ],
  },
  {
    name: 'call-back/rate-limit-is-final',
    about: 'It takes 429 for the end of a notification.',
    edits: [edit('service.mjs', OK, `if (status === 429) return { body: null }\n  ${OK}`)],
  },
  {
    name: 'call-back/refusal-is-final',
    about: 'It drops the notification when its token is refused.',
    edits: [
      edit(
        'service.mjs',
        'if (!first.isRefused) return first',
        'if (!first.isRefused) return first\n    if (token === granted) return { body: null }',
      ),
    ],
  },
  {
    name: 'persistence/one-per-type',
    about: 'Its inbox has room for one notification of each type.',
    edits: [
      edit(
        'store.mjs',
        '  insert.run(type, id)\n',
        "  database.prepare('DELETE FROM inbox WHERE type = ?').run(type)\n  insert.run(type, id)\n",
      ),
    ],
  },
  {
    name: 'persistence/forgets-failures-at-a-start',
    about: 'It drops what has failed before when it starts.',
    edits: [
      edit(
        'store.mjs',
        'const insert = database.prepare(',
        "database.exec('DELETE FROM inbox WHERE attempts > 0')\nconst insert = database.prepare(",
      ),
    ],
  },
  {
    name: 'http/refuses-an-expectation',
    about: 'It answers 417 to a request that expects 100 Continue.',
    edits: [
      edit(
        'main.mjs',
        'server.listen(',
        "server.on('checkContinue', (request, response) => response.writeHead(417).end())\nserver.listen(",
      ),
    ],
  },
  {
    name: 'http/forgets-callbacks-of-known-objects',
    about: 'It takes a callback about an object for the last word, and drops later webhooks about it.',
    edits: [
      edit('main.mjs', 'let timer\n', 'let timer\nconst byCallback = new Set()\n'),
      edit(
        'main.mjs',
        KEEP,
        `  if (isWebhook && byCallback.has(id)) return 204\n  if (!isWebhook) byCallback.add(id)\n${KEEP}`,
      ),
    ],
  },
  {
    name: 'time/drops-the-future',
    about: 'It ignores what is dated more than a minute ahead.',
    edits: [
      edit(
        'store.mjs',
        'if (now === undefined) return\n',
        'if (now === undefined || now.updatedAt > Date.now() + 60_000) return\n',
      ),
    ],
  },
  {
    name: 'time/whole-seconds',
    about: 'It takes a state only if it is a second newer than the one before.',
    edits: [
      edit(
        'service.mjs',
        'now.updatedAt >= before.updatedAt\n',
        'Math.floor(now.updatedAt / 1000) > Math.floor(before.updatedAt / 1000) || now.state === before.state\n',
      ),
    ],
  },
  {
    name: 'time/remembers-answers',
    about: 'It remembers the answer about an object for a second.',
    edits: [
      edit('service.mjs', 'let token\n', 'let token\nconst remembered = new Map()\n'),
      edit(
        'service.mjs',
        OK,
        `if (status === 200) {
    const before = remembered.get(path)
    if (before && Date.now() - before.at < 1_000) return { body: before.body }
    const body = await response.json()
    remembered.set(path, { at: Date.now(), body })
    return { body }
  }`,
      ),
    ],
  },
  {
    name: 'time/remembers-what-is-missing',
    about: 'It never asks again for an object that the service did not know once.',
    edits: [
      edit('main.mjs', 'let timer\n', 'let timer\nconst missing = new Set()\n'),
      edit(
        'main.mjs',
        '  if (isMissing && attempts >= 3) return dropAll(notifications)',
        '  if (isMissing) missing.add(id)\n  if (isMissing) return dropAll(notifications)',
      ),
      edit('main.mjs', KEEP, `  if (missing.has(id)) return 204\n${KEEP}`),
    ],
  },
]
