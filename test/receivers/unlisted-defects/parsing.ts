import type { Edit, UnlistedDefect } from './defect.ts'

const readingIds = (call: string): Edit => ({
  file: 'service.mjs',
  from: 'return idOf(findObject(body, type))',
  to: `return idOf(findObject(body, type))?.${call}`,
})

export const parsingDefects: readonly UnlistedDefect[] = [
  {
    name: 'decodes-chunks-one-by-one',
    about: 'It decodes each chunk of a body separately, which breaks characters at the border of two chunks.',
    area: 'parsing',
    edits: [
      {
        file: 'main.mjs',
        from: 'Buffer.concat(chunks)',
        to: "Buffer.from(chunks.map((chunk) => chunk.toString()).join(''))",
      },
    ],
  },
  {
    name: 'lower-cases-ids',
    about: 'It lower-cases ids, so that it never finds an object whose id has a capital letter.',
    area: 'parsing',
    edits: [readingIds('toLowerCase()')],
  },
  {
    name: 'cuts-ids-to-its-column',
    about: 'It cuts ids to the 36 characters of a UUID.',
    area: 'parsing',
    edits: [readingIds('slice(0, 36)')],
  },
  {
    name: 'composes-letters-of-ids',
    about:
      'It normalizes the Unicode of ids, and asks for another id where an accent is a separate character.',
    area: 'parsing',
    edits: [readingIds('normalize()')],
  },
  {
    name: 'splits-its-keys-at-a-colon',
    about: 'It joins type and id with a colon and splits them again, which cuts an id at its own colon.',
    area: 'parsing',
    edits: [
      {
        file: 'main.mjs',
        from: '({ type, id }) => `${type} ${id}`)',
        to: 'keyOf)',
      },
      {
        file: 'main.mjs',
        from: 'const dueAt = (notifications)',
        to: 'const keyOf = ({ type, id }) => `${type}:${id}`\nconst dueAt = (notifications)',
      },
      {
        file: 'main.mjs',
        from: 'const [{ type, id }] = notifications',
        to: "const [type, id] = keyOf(notifications[0]).split(':')",
      },
    ],
  },
]
