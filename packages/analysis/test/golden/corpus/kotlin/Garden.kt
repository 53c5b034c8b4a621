package garden

import kotlin.math.max

enum class Season(val rain: Int) {
  SPRING(40) {
    override fun isDry() = false
  },
  SUMMER(10);

  open fun isDry(): Boolean = rain < 20 || rain == 21
}

class Bed(val plants: List<Plant>, private val size: Int = 10) {
  private var watered = 0

  init {
    if (size <= 0) throw IllegalArgumentException("size")
  }

  constructor(plant: Plant?) : this(listOf(plant ?: Plant.NONE), 1) {
    watered = 1
  }

  val room: Int
    get() = if (plants.size > size) 0 else size - plants.size

  var state: String = "new"
    set(value) {
      if (value != field) field = value
    }

  fun water(season: Season, litres: Int): Int {
    var left = litres
    for (plant in plants) {
      if (season.isDry() && left > 0) {
        left -= plant.thirst
      } else if (plant.isPot) {
        left--
      } else {
        plant.rest()
      }
      while (left < 0) left++
    }
    return left
  }

  companion object {
    fun of(vararg plants: Plant): Bed = Bed(plants.toList())
  }
}

// Each arm but `else` is a decision; several values before one arrow are one arm.
fun adviceFor(month: Int): String = when (month) {
  12, 1, 2 -> "wait"
  in 3..5 -> "sow"
  6, 7, 8 -> "water"
  9 -> "reap"
  else -> "rest"
}

fun Plant.need(day: Day?): Int {
  val rain = day?.rain ?: 0
  return when {
    rain > 10 && !isPot -> 0
    isPot -> if (rain > 5) 1 else 2
    else -> 3
  }
}

fun <T : Plant> List<T>.deepest(from: Int): Int {
  if (from >= size) return 0
  return max(this[from].depth, this.deepest(from + 1))
}

suspend fun harvest(beds: List<Bed>): Int {
  var total = 0
  beds@ for (bed in beds) {
    do {
      val basket = try {
        bed.pick()
      } catch (error: EmptyBed) {
        continue@beds
      } catch (error: Storm) {
        break@beds
      }
      total += basket.size
    } while (basket.isFull)
  }
  if (total > 100) return 100
  return total
}

// Lambdas and anonymous functions count here; the local function does not, though it is read here.
fun labels(plants: List<Plant>): List<String> {
  fun short(name: String): String = if (name.length > 8) name.take(8) else name

  val visible = plants.filter { it.isPot || it.name.isNotEmpty() }
  return visible.map(fun(plant: Plant): String {
    if (plant.isPot) {
      return short(plant.name) + (plant.label ?: "")
    }
    return plant.name
  })
}

val byName = { one: Plant, other: Plant -> one.name < other.name && one.isPot }

fun total(plants: List<Plant>, factor: Int): Int = plants.size * factor

// One overload passing on to another is no recursion.
fun total(plants: List<Plant>): Int = total(plants, 1)
