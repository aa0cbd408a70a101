/** Sandbox time as bodies and records print it. Source: §2.3 */
export function timestamp(time: number): string {
  return new Date(time).toISOString()
}
