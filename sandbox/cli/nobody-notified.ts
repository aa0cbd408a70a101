/** The finding of `doctor` and the page without a registration. */
export const NOBODY_NOTIFIED = 'No notification is sent, because no registration is enabled'
