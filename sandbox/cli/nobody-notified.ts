/** What `doctor` finds where nothing is registered, and the page says, too. */
export const NOBODY_NOTIFIED = 'Nobody is notified: no registration is enabled'
