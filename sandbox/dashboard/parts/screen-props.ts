/** What a screen is given. */
export interface ScreenProps {
  /** The words of the address after the first, which names the screen. */
  readonly path: readonly string[]
}
