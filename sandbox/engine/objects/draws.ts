/** As many digits as asked for, drawn from the source of the ids. */
export function drawDigits(count: number, newId: () => string): string {
  let digits = ''
  while (digits.length < count) digits += digitsOf(newId())
  return digits.slice(0, count)
}

/** The hexadecimal digits of an id as decimal ones. */
function digitsOf(id: string): string {
  return id.replaceAll('-', '').replaceAll(/[a-f]/g, (digit) => String(Number.parseInt(digit, 16) % 10))
}
