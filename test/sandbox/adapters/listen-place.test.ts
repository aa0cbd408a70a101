import { expect, test } from 'vitest'
import { certificateHosts, listenerNames } from '../../../sandbox/adapters/listen-place.ts'

const LOOPBACK = ['127.0.0.1:4011', 'localhost:4011', '[::1]:4011']

test.each([
  ['on loopback', undefined, '127.0.0.1:4011', '127.0.0.1:4011', LOOPBACK],
  [
    'on every address',
    { address: '0.0.0.0', allowedHosts: ['hookbench', 'localhost:5011'] },
    '127.0.0.1:4011',
    'hookbench:4011',
    [...LOOPBACK, 'hookbench:4011', 'localhost:5011'],
  ],
  [
    'on every address of both families',
    { address: '::', allowedHosts: ['[fd00::5]'] },
    '[::1]:4011',
    '[fd00::5]:4011',
    [...LOOPBACK.toReversed(), '[fd00::5]:4011'],
  ],
  [
    'on one address',
    { address: '10.0.0.5', allowedHosts: ['a.test'] },
    '10.0.0.5:4011',
    'a.test:4011',
    ['10.0.0.5:4011', 'a.test:4011'],
  ],
])('listenerNames() returns the names of a listener %s', (...[, place, own, publicName, all]) => {
  expect(listenerNames(place, 4_011)).toEqual({ own, public: publicName, all })
})

test('listenerNames() also returns each name without its port when the port is 443', () => {
  const place = { address: '10.0.0.5', allowedHosts: ['hookbench', 'bench.example:443'] }
  const [withPort, withoutPort] = [443, 4_011].map((port) => listenerNames(place, port).all.join(' '))

  expect(withPort).toBe('10.0.0.5:443 10.0.0.5 hookbench:443 hookbench bench.example:443 bench.example')
  expect(withoutPort).toBe('10.0.0.5:4011 hookbench:4011 bench.example:443 bench.example')
})

test('certificateHosts() returns names without ports, and the loopback names when the listener uses every address', () => {
  const allowedHosts = ['hookbench', 'hookbench:5011']

  const everywhere = certificateHosts({ address: '0.0.0.0', allowedHosts })
  expect(everywhere).toEqual(['127.0.0.1', 'localhost', '[::1]', 'hookbench'])
  expect(certificateHosts({ address: '10.0.0.5', allowedHosts })).toEqual(['10.0.0.5', 'hookbench'])
})
