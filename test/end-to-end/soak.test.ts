import { expect, test } from 'vitest'
import { soak } from '../proofs/soak/soak.ts'

test.skipIf(process.platform !== 'linux')(
  'under a steady load with a faulty receiver each change comes once to the others, as the jobs say',
  async () => {
    const { changes, failures } = await soak({ minutes: 0.03, rate: 100, judgesTimes: false })

    expect([changes, failures]).toEqual([180, []])
  },
)
