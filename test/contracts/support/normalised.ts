/** A report without its times and ports: what must be the same in every run with one seed. */
export function normalised(report: string): string {
  return report
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, 'TIME')
    .replaceAll(/ *\b\d+(\.\d+)? ms\b/g, ' # ms')
    .replaceAll(/"(at_ms|took_ms|latest_ms|waited_ms)": [\d.]+/g, '"$1": #')
    .replaceAll(/\btime="[\d.]+"/g, 'time="#"')
    .replaceAll(/\b(localhost|127\.0\.0\.1):\d+/g, '$1:PORT')
}
