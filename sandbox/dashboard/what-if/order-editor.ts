import { computed, signal, type ReadonlySignal } from '@preact/signals'
import { createOrder, formatDeliveries, moveChip, toDeliveries, type Chip, type Order } from './order.ts'

/** An order, and which of its deliveries is chosen. */
export interface OrderEditor {
  readonly order: ReadonlySignal<Order>
  /** As the address has it. */
  readonly word: ReadonlySignal<string>
  readonly chosen: ReadonlySignal<Chip | undefined>
  choose(chip: Chip | undefined): void
  /** Moves the choice by so many chips. */
  step(by: number): void
  /** Changes the order around the chosen chip. */
  edit(change: (order: Order, chip: Chip) => Order): void
  /** Moves the chip during a drag. Only the final edit is reported. */
  drag(to: number): void
  take(word: string): void
}

/** Creates the editor. Calls `onEdit` after each change by hand. */
export function createOrderEditor(given: string, onEdit: () => void): OrderEditor {
  const order = signal(createOrder(given))
  const chosenId = signal(0)
  const chosen = computed(() => order.value.find(({ id }) => id === chosenId.value) ?? order.value[0])
  const change = (by: (order: Order, chip: Chip) => Order) => {
    if (chosen.value) order.value = by(order.value, chosen.value)
  }
  return {
    order,
    word: computed(() => formatDeliveries(toDeliveries(order.value))),
    chosen,
    choose(chip) {
      if (chip) chosenId.value = chip.id
    },
    step(by) {
      const place = order.value.findIndex((chip) => chip === chosen.value)
      chosenId.value = order.value[place + by]?.id ?? chosenId.value
    },
    edit(by) {
      change(by)
      onEdit()
    },
    drag: (to) => change((all, chip) => moveChip(all, chip, to)),
    take(word) {
      order.value = createOrder(word)
    },
  }
}
