import type { SpecDocument } from '../../spec/document.ts'
import { formatLiteral, generatedFile, type GeneratedFile } from '../generated-file.ts'
import { earlierRows, modelRows, notificationRows } from '../views/notification-rows.ts'

export function notificationsFile(document: SpecDocument): GeneratedFile {
  const rows = notificationRows(document)
  const objects = rows.map(([, { object }]) => object)

  return generatedFile(import.meta.url, 'spec/generated/notifications.ts', [
    `import type { NotificationRow } from '../rows.ts'`,
    `import type { ${[...objects, ...rows.map(([, { schema }]) => schema)].toSorted().join(', ')} } from './service-types.ts'`,
    '',
    `export const NOTIFICATIONS = ${formatLiteral(Object.fromEntries(rows))} as const satisfies Record<string, NotificationRow>`,
    '',
    `/** ${EARLIER_ABOUT} Source: §2.2. Reading: callback-list */`,
    `export const EARLIER_NOTIFICATIONS = ${formatLiteral(Object.fromEntries(earlierRows(document)))} as const`,
    '',
    ...notificationTypes(rows),
  ])
}

export const EARLIER_ABOUT = 'Types that occur only in callbacks of the earlier list.'

export function notificationTypes(rows: readonly (readonly [string, { schema: string; object: string }])[]) {
  return [
    '/** The object types that are notified. Source: §2.2 */',
    'export type NotifiedType = keyof typeof NOTIFICATIONS',
    '',
    '/** The object in the Show response of each type. */',
    'export interface ObjectByType {',
    ...rows.map(([name, { object }]) => `  readonly ${propertyName(name)}: ${object}`),
    '}',
    '',
    '/** The notification for each type. */',
    'export interface NotificationByType {',
    ...rows.map(([name, { schema }]) => `  readonly ${propertyName(name)}: ${schema}`),
    '}',
  ]
}

function propertyName(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
}

export function modelsFile(document: SpecDocument): GeneratedFile {
  const rows = Object.fromEntries(modelRows(document))
  return generatedFile(import.meta.url, 'spec/generated/models.ts', [
    `import type { ModelRow } from '../rows.ts'`,
    `import type { NotifiedType } from './notifications.ts'`,
    '',
    `export const MODELS: { readonly [Type in NotifiedType]: ModelRow } = ${formatLiteral(rows)}`,
  ])
}
