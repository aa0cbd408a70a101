import { splitOddCharacters } from './bodies.ts'

/** Shows a text unchanged, with names for invisible characters. */
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
