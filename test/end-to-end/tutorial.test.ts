import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { installUnder } from '../package/nodes.ts'
import { openPlace } from '../package/place.ts'
import { readPageCode } from '../support/pages.ts'
import { runPage } from './page-session.ts'

const PAGE = new URL('../../docs/tutorial.md', import.meta.url)

/** The newest release of each supported major version of Node. */
const NODES = ['22.23.3', '24.21.0', '26.10.0']

const FIVE_MINUTES_S = 300

test(
  'the tutorial takes less than five minutes in an empty folder on each supported Node version',
  { tags: ['bash', 'namespaces'], timeout: 900_000 },
  async () => {
    const place = openPlace()
    onTestFinished(() => place.remove())
    const taken: number[] = []

    for (const version of NODES) {
      const installed = await installUnder(place, version)
      const startedAt = performance.now()
      await runPage(readPageCode(PAGE), { installed })
      const seconds = (performance.now() - startedAt) / 1_000
      console.log(
        `Node ${version}: installed in ${installed.seconds.toFixed(1)} s, the rest of the tutorial in ${seconds.toFixed(1)} s`,
      )
      taken.push(installed.seconds + seconds)
    }

    expect(readFileSync(PAGE, 'utf8')).toContain('takes five minutes')
    expect(taken.filter((seconds) => seconds >= FIVE_MINUTES_S)).toEqual([])
  },
)
