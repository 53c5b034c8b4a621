import { expect, test } from "vitest";
import { originOf } from "../../../src/project/find-sources.js";

test.each([
  ["src/stack.ts", "own"],
  ["src/vendors.ts", "own"],
  ["src/distance/far.ts", "own"],
  ["contest/entry.py", "own"],
  ["node_modules/left/index.js", "vendored"],
  ["app/vendor/lib/x.php", "vendored"],
  ["third_party/zlib/inflate.c", "vendored"],
  ["ios/Pods/Alamofire/Request.swift", "vendored"],
  ["env/lib/python3.12/site-packages/attr/make.py", "vendored"],
  ["bower_components/jquery/jquery.js", "vendored"],
  ["dist/main.js", "generated"],
  ["web/app.min.js", "generated"],
  ["api/user.pb.go", "generated"],
  ["api/user_pb2.py", "generated"],
  ["Forms/Main.Designer.cs", "generated"],
  ["obj/App.g.cs", "generated"],
  ["src/__generated__/schema.ts", "generated"],
  ["src/stack.test.ts", "test"],
  ["tests/load/run.ts", "test"],
  ["pkg/stack_test.go", "test"],
  ["test_stack.py", "test"],
  ["src/main/java/StackTest.java", "test"],
  ["spec/stack_spec.rb", "test"],
  ["node_modules/left/test/a.js", "vendored"],
])("%s is %s", (path, origin) => {
  expect(originOf(path)).toBe(origin);
});
