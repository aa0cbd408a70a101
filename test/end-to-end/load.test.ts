import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReceiver } from '../receivers/receiver.ts'
import { issueForLocalhost } from '../support/certificates.ts'
import { useWorkshop } from '../support/workshop.ts'
import { freePort } from '../support/free-ports.ts'

const shop = useWorkshop()

test('the command "load" passes a careful receiver whose effects match the service', async () => {
  const port = await freePort()
  const receiver = await startReceiver({
    ...(await issueForLocalhost(shop.folder)),
    port: 0,
    effectsPort: 0,
    store: ':memory:',
    token: '3f9c1d2ab47e8051',
    service: {
      url: `http://127.0.0.1:${port}`,
      clientId: 'sandbox',
      clientSecret: 'sandbox-secret',
      timeoutMs: 30_000,
    },
    onError: (error) => console.error(error),
  })
  try {
    const place = [receiver.webhooks, '--effects', receiver.effects, '--calls-back', '--port', String(port)]
    const content = ['--rate', '40', '--for', '1s', '--mix', 'items', '--payments', 'card-payin,npp-payin']
    const output = ['--json', '--html', 'load.html']
    const { code, stdout, stderr } = await shop.run('load', ...place, ...content, ...output)

    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      sent: report.offered,
      accepted: report.offered,
      statuses: { 204: report.offered },
    })
    expect(report.offered).toBeGreaterThan(35)
    expect(report.books).toMatchObject({ differing: 0, compared: report.books.objects })
    expect(report.books.objects).toBeGreaterThan(10)
    expect([report.conclusion, code]).toEqual(
      report.sender.limits.length === 0 ? ['passed', 0] : ['sender-limited', 3],
    )
    expect(stderr).toContain(`Your receiver can call the service at http://127.0.0.1:${port}`)
    expect(existsSync(join(shop.folder, 'load.html'))).toBe(true)
    expect(readFileSync(join(shop.folder, 'load.html'), 'utf8')).toContain('Notifications a second')
  } finally {
    await receiver.close()
  }
})
