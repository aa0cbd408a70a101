import { PresentOnly } from '../parts/presence.tsx'
import type { Route } from '../state/route.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { CheckPage } from './check-page.tsx'
import { FaultCards } from './fault-cards.tsx'
import { PaymentCards } from './payment-cards.tsx'
import { ReadingCards } from './reading-cards.tsx'

const SECTIONS = [
  { word: 'payments', title: 'Payments', Section: PaymentCards },
  { word: 'faults', title: 'Faults', Section: FaultCards },
  { word: 'readings', title: 'Readings', Section: ReadingCards },
  { word: 'checks', title: 'Checks', Section: CheckPage },
] as const

/** The workshop: payments, faults, readings and checks. */
export function WorkshopScreen({ path: [word = 'payments', chosen] }: Route) {
  const { go, link } = useApp()
  useKeys(
    SECTIONS.map(({ word: each, title }, index) => ({
      key: String(index + 1),
      about: title.toLowerCase(),
      run: () => go({ screen: 'workshop', path: [each] }),
    })),
  )
  // Run reports are part of the checks section.
  const current = SECTIONS.find((each) => each.word === (word === 'runs' ? 'checks' : word))
  return (
    <section class="workshop">
      <h1 class="hidden">Workshop</h1>
      <nav class="tabs" aria-label="Workshop">
        {SECTIONS.map(({ word: each, title }) => (
          <a
            key={each}
            href={link({ screen: 'workshop', path: [each] })}
            aria-current={each === current?.word ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {current === undefined && <p class="empty">The workshop has no "{word}"</p>}
      {current && (
        <PresentOnly>
          <current.Section word={word} chosen={chosen} />
        </PresentOnly>
      )}
    </section>
  )
}
