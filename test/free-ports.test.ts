import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { freePort, freePorts } from './support/free-ports.ts'

const MODULE = new URL('support/free-ports.ts', import.meta.url).href

/** Asks for ports in a process of its own, which keeps them until it is ended. */
function askElsewhere(count: number) {
  const code = `const { freePorts } = await import(${JSON.stringify(MODULE)})
    console.log(JSON.stringify(await freePorts(${count})))
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answer = once(createInterface(child.stdout), 'line')
  return {
    ports: answer.then(([line]): readonly number[] => JSON.parse(String(line))),
    end: () => child.stdin.end(),
  }
}

test('no two processes are given the same port, however many they ask for', async () => {
  const others = Array.from({ length: 4 }, () => askElsewhere(120))
  const given = [await freePorts(120), ...(await Promise.all(others.map(({ ports }) => ports)))].flat()
  for (const { end } of others) end()

  expect(new Set(given).size).toBe(5 * 120)
  expect(given.filter((port) => port <= 15_000 || port >= 32_000)).toEqual([])
})

test('a port that another program has is passed over', async () => {
  const port = await freePort()
  const server = createServer().listen(port + 1, '127.0.0.1')
  await once(server, 'listening')

  expect(await freePort()).not.toBe(port + 1)
  await once(server.close(), 'close')
})
