export interface ScreenProps {
  /** The words of the address after the screen's name. */
  readonly path: readonly string[]
}
