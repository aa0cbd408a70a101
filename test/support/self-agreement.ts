const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((node, key) => Reflect.get(Object(node), key), value)

/**
 * Whether what a body says of itself is so, which no JSON Schema can say: `links.self` is null or `/<type>/<id>`, the `link`
 * of a flat one is `/virtual_accounts/<id>`, and the first related transaction of a card pay-in is its own, of a card
 * account. Source: §2.3, §6.2, §6.3
 */
export function agreesWithItself(body: unknown): boolean {
  const [[type, object] = ['', undefined], ...others] = Object.entries<unknown>(Object(body))
  if (others.length > 0) return at(body, 'link') === `/virtual_accounts/${String(at(body, 'id'))}`
  const [id, self] = [at(object, 'id'), at(object, 'links', 'self')]
  const entry = at(object, 'related', 'transactions', '0')
  const isCard = type === 'transactions' && at(object, 'type_method') === 'credit_card'
  const isOwn = at(entry, 'id') === id && at(entry, 'account_type') === 'card_account'
  return (self === null || self === undefined || self === `/${type}/${String(id)}`) && (!isCard || isOwn)
}
