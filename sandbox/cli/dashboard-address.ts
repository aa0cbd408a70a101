import { openPage } from '../adapters/open-page.ts'
import { printWarning } from './failure.ts'

interface Address {
  readonly benchUrl: string
  readonly benchToken: string
}

/** Returns the URL of the dashboard. Includes the token if `opensAsIs` is true. */
export function dashboardUrl({ benchUrl, benchToken }: Address, opensAsIs: boolean): string {
  return opensAsIs ? `${benchUrl}/#token=${encodeURIComponent(benchToken)}` : `${benchUrl}/`
}

export async function openDashboard(address: Address): Promise<void> {
  const problem = await openPage(dashboardUrl(address, true), process.platform)
  if (problem === undefined) return
  const url = dashboardUrl(address, false)
  printWarning(`Cannot open the dashboard: ${problem}. Open ${url} in a browser`)
}
