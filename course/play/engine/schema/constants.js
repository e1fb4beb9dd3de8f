// The cases of enum and const: any JSON values, arrays and objects too.
import { ArrayCase, everyItem } from "./array_cases.js";
import { noCases, ofEachKind } from "./cases.js";
import { typeOf } from "./json_reader.js";
import { keySet, membersOf, ObjectCase, oneKey, present } from "./object_cases.js";
import { NEVER } from "./places.js";
import { Few, Numeric, Text } from "./scalars.js";

// The cases of some values.
export function constantsOf(values, pointer) {
  const found = noCases(),
    kinds = ofEachKind((kind) => values.filter((value) => typeOf(value) === kind));
  const constant = (value) => [[madeConstant(value), pointer]];
  if (kinds.null.length) found.null = [new Few([null], [null])];
  if (kinds.boolean.length)
    found.boolean = [
      new Few(
        [false, true].filter((each) => kinds.boolean.includes(each)),
        [false, true],
      ),
    ];
  if (kinds.number.length) found.number = [new Numeric({ enum: kinds.number })];
  if (kinds.string.length) found.string = [new Text({ enum: kinds.string })];
  found.array = kinds.array.map((value) => {
    const every = value.map((item, n) => everyItem(n, n + 1, constant(item)));
    return new ArrayCase({ every, least: value.length, most: value.length, constant: value });
  });
  found.object = kinds.object.map((value) => {
    const keys = [...value.keys()],
      every = [...value].map(([key, item]) => membersOf(oneKey(key), constant(item)));
    every.push(membersOf(keySet({ outside: [keySet({ names: keys })] }), NEVER));
    return new ObjectCase({ declared: keys, every, some: present(keys).some, constant: value });
  });
  return found;
}
const madeConstant = (value) => new Map([["const", value]]);
