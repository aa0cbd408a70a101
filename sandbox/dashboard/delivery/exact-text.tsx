import { splitOddCharacters } from './bodies.ts'

/** Text as it was sent or answered; what does not show, or would turn the line around, is named. */
export function ExactText({ text }: { readonly text: string }) {
  return (
    <>
      {splitOddCharacters(text).map((part, index) =>
        part.isOdd ? (
          <span key={index} class="odd">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  )
}
