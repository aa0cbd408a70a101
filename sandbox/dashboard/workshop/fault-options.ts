import type { Fault, FaultKindInfo } from '../../../spec/generated/control-types.ts'
import type { CommandValues } from '../palette/command-text.ts'

const NEEDED: Readonly<Record<string, string>> = { delay_ms: '2s', status: '503' }

const HINTS: Readonly<Record<string, string>> = {
  delay_ms: '2s',
  at: 'answer',
  set: '/items/state=x',
  copies: '1',
  revisions_back: '1',
  retry_after: '1',
}

/** Lists the `faults add` options for a kind of fault. Only the palette and the terminal offer a complete replacement body. */
export function faultOptions({ on, takes, needs }: FaultKindInfo) {
  const own = takes.filter((name) => name !== 'body')
  return [
    ...own.map((name) => ({
      name: optionOf(name),
      label: optionOf(name).slice(2).replaceAll('-', ' '),
      placeholder: HINTS[name] ?? '',
      required: needs.includes(name),
    })),
    {
      name: '--match',
      label: 'only',
      placeholder: on === 'api' ? 'operation=showItem' : 'object_type=items',
      required: false,
    },
    { name: '--times', label: 'times', placeholder: 'always', required: false },
  ]
}

export function newFault({ on, kind, needs }: FaultKindInfo): CommandValues {
  const needed = needs.flatMap((name) => {
    const text = NEEDED[name]
    return text === undefined ? [] : [[optionOf(name), text] as const]
  })
  return { on, kind, ...Object.fromEntries(needed) }
}

const optionOf = (name: string) => `--${name.replace(/_ms$/, '').replaceAll('_', '-')}`

export function isActive({ applied, times }: Fault): boolean {
  return times === null || applied < times
}
