import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { useProcessShop } from './process-shop.ts'

const LISTENING = '0A'

/** Lists the addresses on which the process listens, as the kernel writes them. The kernel reverses the bytes of 127.0.0.1. */
function listeningPlaces(pid: number): readonly string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(pid, fd))?.[1]),
  )
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((table) => {
    const [, ...rows] = readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trim().split('\n')
    return rows.flatMap((row) => {
      const [, place, , state, , , , , , inode] = row.trim().split(/\s+/)
      const isOpen = table.startsWith('udp') || state === LISTENING
      return isOpen && inodes.has(inode) ? [`${table} ${place}`] : []
    })
  })
}

/** Returns an empty text if the descriptor was closed in the meantime. */
function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    return ''
  }
}

test.skipIf(process.platform !== 'linux')(
  'a sandbox listens on exactly two ports of 127.0.0.1, even during a delivery',
  async () => {
    const shop = useProcessShop()
    onTestFinished(() => shop.close())
    const { pid = 0, ready } = await shop.up()
    const receiver = await shop.receiver()
    await shop.register(receiver.url)
    receiver.answers.push('never')
    await shop.create(1)
    await expect.poll(() => receiver.received.length).toBe(2)

    const ports = [ready['service_url'], ready['bench_url']].map((url) => Number(new URL(String(url)).port))
    const expected = ports.map((port) => `tcp 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`)
    expect(listeningPlaces(pid).toSorted()).toEqual(expected.toSorted())
  },
)
