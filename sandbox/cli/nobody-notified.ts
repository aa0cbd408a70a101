/** What `doctor` finds where nothing is registered, and the page says, too. */
export const NOBODY_NOTIFIED = 'No notification is sent, because no registration is enabled'
