/** Text that cannot move the cursor, ring the bell or turn the line around. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters to take out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '�')
}
