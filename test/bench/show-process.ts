import { createServer } from 'node:http'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { newObject } from '../../sandbox/engine/objects/objects.ts'
import { timestamp } from '../../sandbox/engine/core/timestamp.ts'

/** The service with one item, and a bare server that answers the same bytes, in a process of their own. */
const folder = mkdtempSync(join(tmpdir(), 'hookbench-bench-'))
const sandbox = await serveSandbox({
  caFolder: join(folder, 'ca'),
  storePath: join(folder, 'store.sqlite'),
  port: 0,
  benchPort: 0,
  speed: 1,
  allowTargets: [],
  settings: defaultSettings,
  onError: (where, error) => console.error(where, error),
})
const { newId, now } = sandbox.context
const item = newObject('items', {}, { id: newId(), number: 1, now: timestamp(now()), newId })
await sandbox.commit([{ kind: 'object', object_type: 'items', object: item, silent: true }])

const body = JSON.stringify({ items: item })
const bare = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
})
bare.listen(0, '127.0.0.1', () => {
  const address = bare.address()
  process.send?.({
    service: sandbox.serviceUrl,
    bare: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    path: `/items/${item.id}`,
  })
})
