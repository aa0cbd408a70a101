const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const STEERING =
  // oxlint-disable-next-line no-control-regex -- these are the characters to take out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/** Text within a page or a picture: never markup, whatever it says; without characters that steer. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(STEERING, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** The beginning of a text, as many characters as there is room for. */
export function clip(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

/** Text with the beginning of each UUID in its place. */
export function abbreviateIds(text: string): string {
  return text.replaceAll(UUID, (id) => `${id.slice(0, 8)}…`)
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

export function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
