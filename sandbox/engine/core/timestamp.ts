let printed = { time: 0, text: new Date(0).toISOString() }

/** Sandbox time as bodies and records print it. Source: §2.3 */
export function timestamp(time: number): string {
  // What happens in one millisecond asks for it several times: the last one is kept.
  if (time !== printed.time) printed = { time, text: new Date(time).toISOString() }
  return printed.text
}
