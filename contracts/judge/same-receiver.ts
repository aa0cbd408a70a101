import type { Generation } from '../../spec/delivery.ts'
import { receiverUrls } from '../run/receiver-urls.ts'
import type { ReceiverOptions } from '../toolkit/options.ts'

const GENERATIONS: readonly Generation[] = ['webhooks', 'callbacks']

type Urls = Pick<ReceiverOptions, 'urls'>

/** Whether what a configuration names is the receiver that is registered: the same URL for each type that both have. */
export function isSameReceiver(named: Urls, registered: Urls): boolean {
  const [own, known] = [receiverUrls(named), receiverUrls(registered)]
  const pairs = GENERATIONS.flatMap((generation) =>
    known
      .types(generation)
      .filter((type) => own.types(generation).includes(type))
      .map((type) => [own.url(type, generation), known.url(type, generation)] as const),
  )
  return pairs.length > 0 && pairs.every(([one, other]) => one === other)
}
