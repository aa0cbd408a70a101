/** The message of `doctor` and of the page if there is no enabled registration. */
export const NOBODY_NOTIFIED = 'No notification is sent, because no registration is enabled'
