;; The arithmetic on vectors. Rows are signed bytes, padded with zeros to a multiple of 32.
(module
  (memory (export "memory") 1)

  ;; Writes row · query · scale of each row to `out`, minus infinity where `mask` has a zero; no mask at 0. The query has 16 bits a
  ;; component, of which 12 are used: so no sum overflows below 32,000 dimensions.
  (func (export "dots")
    (param $rows i32) (param $scales i32) (param $mask i32) (param $count i32) (param $stride i32) (param $query i32)
    (param $out i32)
    (local $end i32) (local $row i32) (local $next i32) (local $at i32)
    (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $row (local.get $rows))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $next (i32.add (local.get $row) (local.get $stride)))
        (if (i32.and (i32.ne (local.get $mask) (i32.const 0)) (i32.eqz (i32.load8_u (local.get $mask))))
          (then (f32.store (local.get $out) (f32.const -inf)))
          (else
            (local.set $a (v128.const i32x4 0 0 0 0))
            (local.set $b (v128.const i32x4 0 0 0 0))
            (local.set $at (local.get $query))
            (loop $part
              (local.set $a
                (i32x4.add (local.get $a)
                  (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row)) (v128.load (local.get $at)))))
              (local.set $b
                (i32x4.add (local.get $b)
                  (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row)) (v128.load offset=16 (local.get $at)))))
              (local.set $a
                (i32x4.add (local.get $a)
                  (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $row)) (v128.load offset=32 (local.get $at)))))
              (local.set $b
                (i32x4.add (local.get $b)
                  (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $row)) (v128.load offset=48 (local.get $at)))))
              (local.set $at (i32.add (local.get $at) (i32.const 64)))
              (local.set $row (i32.add (local.get $row) (i32.const 32)))
              (br_if $part (i32.lt_u (local.get $row) (local.get $next))))
            (f32.store (local.get $out)
              (f32.mul
                (f32.convert_i32_s (call $sum (i32x4.add (local.get $a) (local.get $b))))
                (f32.load (local.get $scales))))))
        (local.set $row (local.get $next))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (if (local.get $mask) (then (local.set $mask (i32.add (local.get $mask) (i32.const 1)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $each))))

  (func $sum (param $lanes v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes)))))

  ;; Writes which components of each row are negative, a bit each; `width` bytes a row, a multiple of sixteen, zero beforehand.
  (func (export "signs") (param $rows i32) (param $count i32) (param $stride i32) (param $out i32) (param $width i32)
    (local $next i32) (local $at i32)
    (block $done
      (loop $each
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $next (i32.add (local.get $rows) (local.get $stride)))
        (local.set $at (local.get $out))
        (loop $part
          (i32.store16 (local.get $at) (i8x16.bitmask (v128.load (local.get $rows))))
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $part (i32.lt_u (local.get $rows) (local.get $next))))
        (local.set $out (i32.add (local.get $out) (local.get $width)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $each))))

  ;; Writes in how many bits each row differs from the query, 16 bits a row; 65,535 where `mask` has a zero.
  (func (export "distances")
    (param $bits i32) (param $mask i32) (param $count i32) (param $width i32) (param $query i32) (param $out i32)
    (local $end i32) (local $next i32) (local $at i32) (local $ones i64)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $next (i32.add (local.get $bits) (local.get $width)))
        (if (i32.and (i32.ne (local.get $mask) (i32.const 0)) (i32.eqz (i32.load8_u (local.get $mask))))
          (then (i32.store16 (local.get $out) (i32.const 65535)))
          (else
            (local.set $ones (i64.const 0))
            (local.set $at (local.get $query))
            (loop $part
              (local.set $ones
                (i64.add (local.get $ones)
                  (i64.add
                    (i64.popcnt (i64.xor (i64.load (local.get $bits)) (i64.load (local.get $at))))
                    (i64.popcnt (i64.xor (i64.load offset=8 (local.get $bits)) (i64.load offset=8 (local.get $at)))))))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (local.set $bits (i32.add (local.get $bits) (i32.const 16)))
              (br_if $part (i32.lt_u (local.get $bits) (local.get $next))))
            (i64.store16 (local.get $out) (local.get $ones))))
        (local.set $bits (local.get $next))
        (if (local.get $mask) (then (local.set $mask (i32.add (local.get $mask) (i32.const 1)))))
        (local.set $out (i32.add (local.get $out) (i32.const 2)))
        (br $each))))

  ;; Adds row · scale of each of the rows whose numbers stand at `numbers`, 32 bits each, to the 32-bit floats at `out`.
  (func (export "sum")
    (param $numbers i32) (param $count i32) (param $rows i32) (param $scales i32) (param $stride i32) (param $out i32)
    (local $number i32) (local $last i32)
    (local.set $last (i32.add (local.get $numbers) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $numbers) (local.get $last)))
        (local.set $number (i32.load (local.get $numbers)))
        (call $add
          (i32.add (local.get $rows) (i32.mul (local.get $number) (local.get $stride)))
          (local.get $stride)
          (f32.load (i32.add (local.get $scales) (i32.shl (local.get $number) (i32.const 2))))
          (local.get $out))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 4)))
        (br $each))))

  (func $add (param $row i32) (param $stride i32) (param $scale f32) (param $out i32)
    (local $end i32) (local $scales v128) (local $half v128)
    (local.set $end (i32.add (local.get $row) (local.get $stride)))
    (local.set $scales (f32x4.splat (local.get $scale)))
    (loop $part
      (local.set $half (v128.load8x8_s (local.get $row)))
      (v128.store (local.get $out)
        (f32x4.add (v128.load (local.get $out))
          (f32x4.mul (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))) (local.get $scales))))
      (v128.store offset=16 (local.get $out)
        (f32x4.add (v128.load offset=16 (local.get $out))
          (f32x4.mul (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))) (local.get $scales))))
      (local.set $row (i32.add (local.get $row) (i32.const 8)))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (br_if $part (i32.lt_u (local.get $row) (local.get $end))))))
