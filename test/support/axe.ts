import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What of the page breaks a rule of accessibility, each with what it is about. */
export async function findAxeProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(source)
  const violations = await page.evaluate<readonly Violation[]>('(async () => (await axe.run()).violations)()')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary}`),
  )
}
