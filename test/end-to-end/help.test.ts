import { afterAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'

const shop = openWorkshop()
afterAll(() => shop.close())

test('the help shows every command in one screen', async () => {
  const { stdout } = await shop.run('--help')

  const lines = stdout.split('\n')
  const headings = lines.filter((line) => /^[A-Z][\w ]+:$/.test(line))
  expect(headings.join(' ')).toBe(
    'Options: Sandbox: Objects and payments: Deliveries: Faults: Clock: World: Receiver: Files:',
  )
  expect(lines.length).toBeLessThan(80)
})

test('the help of a command is equal by both spellings, without colours in a pipe', async () => {
  const [byCommand, byOption] = await Promise.all([
    shop.run('help', 'faults', 'add'),
    shop.run('faults', 'add', '--help'),
  ])

  expect(byCommand).toEqual({ code: 0, stdout: byOption.stdout, stderr: '' })
  expect(byOption.stdout).toMatch(/^Usage: npx hookbench faults add \[options\] <on> <kind>\n/)
  expect(byOption.stdout).toMatch(/\n\nExamples:\n {2}# one item comes twice\n {2}npx hookbench faults add /)
})
