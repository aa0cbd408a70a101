import { expect, test } from 'vitest'
import { createOrderEditor } from '../../../../sandbox/dashboard/what-if/what-if-state.ts'
import { toggleMark, toggleTwice } from '../../../../sandbox/dashboard/what-if/order.ts'

function open(word: string) {
  const edits: string[] = []
  const editor = createOrderEditor(word, () => void edits.push(editor.word.value))
  return { editor, edits }
}

test('the first delivery is selected until the user moves to another delivery', () => {
  const { editor } = open('1-2-3')
  const seen = [editor.chosen.value?.number]
  for (const by of [-1, 1, 1, 1]) {
    editor.step(by)
    seen.push(editor.chosen.value?.number)
  }

  expect(seen).toEqual([1, 1, 2, 3, 3])
})

test('an edit changes the selected delivery and is reported to the caller', () => {
  const { editor, edits } = open('1-2')
  editor.step(1)

  editor.edit((order, chip) => toggleMark(order, chip, 'x'))
  editor.edit(toggleTwice)
  editor.edit(toggleTwice)

  expect(edits).toEqual(['1-2x', '1-2x-2', '1-2x'])
  expect(editor.chosen.value).toMatchObject({ number: 2, marks: 'x' })
})

test('a drag is reported only when the delivery is dropped', () => {
  const { editor, edits } = open('1-2-3')
  editor.choose(editor.order.value[2])

  editor.drag(1)
  editor.drag(0)
  const during = [...edits]
  editor.edit((order) => order)

  expect([during, edits]).toEqual([[], ['3-1-2']])
})

test('the first delivery is selected when the selected delivery no longer exists', () => {
  const { editor } = open('1-2')
  editor.step(1)

  editor.take('3')

  expect([editor.word.value, editor.chosen.value?.number]).toEqual(['3', 3])
})
