import { openPage } from '../adapters/open-page.ts'
import { printWarning } from './failure.ts'

/** Where the bench listens, and the token that it takes. */
interface Address {
  readonly benchUrl: string
  readonly benchToken: string
}

/** With the token where the address is opened as it stands. */
export function dashboardUrl({ benchUrl, benchToken }: Address, opensAsIs: boolean): string {
  return opensAsIs ? `${benchUrl}/#token=${encodeURIComponent(benchToken)}` : `${benchUrl}/`
}

/** Has the browser show the dashboard, which may take as long as it likes. */
export async function openDashboard(address: Address): Promise<void> {
  const problem = await openPage(dashboardUrl(address, true), process.platform)
  if (problem === undefined) return
  const url = dashboardUrl(address, false)
  printWarning(`Cannot open the dashboard: ${problem}. Open ${url} in a browser`)
}
