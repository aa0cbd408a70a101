import { createServer } from 'node:http'
import { answerAsks } from './answer-asks.ts'

let answer = { status: 200, body: '' }
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () =>
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body),
  )
})
server.listen(0, '127.0.0.1', () =>
  answerAsks((given: typeof answer) => {
    answer = given
    const address = server.address()
    return { origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
  }),
)
