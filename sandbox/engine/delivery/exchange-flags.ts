import type { ExchangeFlag } from '../core/ports.ts'

const WORDS: { readonly [Each in ExchangeFlag]: string } = {
  connection_retried: 'sent twice, because a reused connection ended without an answer',
  response_incomplete: 'the answer was cut off',
  response_truncated: 'the answer is too long to be stored completely',
  response_surplus: 'the receiver sent more than one answer to this or the previous delivery',
}

export function describeFlags(flags: readonly ExchangeFlag[]): string {
  return flags.map((flag) => WORDS[flag]).join('; ')
}
