import { openPage } from '../adapters/open-page.ts'

/** Where the bench listens, and the token that it takes. */
interface Address {
  readonly benchUrl: string
  readonly benchToken: string
}

/** With the token only where a person looks: what is written to a file or a pipe is kept and passed on. */
export function dashboardUrl({ benchUrl, benchToken }: Address, forPerson: boolean): string {
  return forPerson ? `${benchUrl}/#token=${benchToken}` : `${benchUrl}/`
}

/** Has the browser show the dashboard, which may take as long as it likes. */
export async function openDashboard(address: Address): Promise<void> {
  const problem = await openPage(dashboardUrl(address, true), process.platform)
  if (problem === undefined) return
  const url = dashboardUrl(address, false)
  console.error(`hookbench: Cannot open the dashboard: ${problem}; open ${url} in a browser`)
}
