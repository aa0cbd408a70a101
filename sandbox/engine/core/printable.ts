/** Text in one line that cannot move the cursor, ring the bell or turn the line around; ⏎ stands for a line break. */
export function toPrintable(text: string): string {
  return (
    text
      .replaceAll(/\r\n|[\n\r\u2028\u2029]/g, '⏎')
      .replaceAll('\t', ' ')
      // oxlint-disable-next-line no-control-regex -- these are the characters to take out
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '�')
  )
}
