/** Formats an amount in minor units, such as `AUD 125.00` for 12,500. Every currency has two decimals. Source: §2.3 */
export function formatMoney(amount: number | undefined, currency = ''): string {
  if (amount === undefined) return currency
  if (!Number.isSafeInteger(amount)) return `${amount} minor units of ${currency || 'money'}`
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${currency} ${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`.trim()
}
