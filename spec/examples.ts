export { EXAMPLES as examples, type Example, type ExampleOf } from './generated/examples.ts'
