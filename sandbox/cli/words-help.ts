/** For the help of commands that show fields. */
export const WORDS_HELP = `
A vocabulary changes what the service says: its calls and its notifications. The bench, and so this command, keeps the
neutral words of the document, such as extwallet.`
