/**
 * Whether what a body says of its own path is so: `links.self` is null or `/<type>/<id>`, the `link` of a flat one is
 * `/virtual_accounts/<id>`. No JSON Schema can say it. Source: §2.3, §6.3
 */
export function hasOwnPaths(body: unknown): boolean {
  const [[type, object] = ['', undefined], ...others] = Object.entries<unknown>(Object(body))
  const at = (value: unknown, key: string): unknown => Reflect.get(Object(value), key)
  const [holder, path, wrapped] =
    others.length === 0
      ? [object, at(at(object, 'links'), 'self'), type]
      : [body, at(body, 'link'), 'virtual_accounts']
  return path === null || path === undefined || path === `/${wrapped}/${String(at(holder, 'id'))}`
}
