import Foundation

public protocol Vehicle {
    var range: Int { get }
    func drive(_ distance: Int) throws
}

public final class Route<Stop: Hashable>: Sendable where Stop: Codable {
    private var stops: [Stop] = []
    let isShort = { (length: Int) in length < 10 || length == 42 }

    var length: Int { stops.count }

    var name: String {
        get { return stored ?? "route" }
        set(value) {
            guard !value.isEmpty else { return }
            stored = value
        }
    }

    var visited = 0 {
        didSet {
            if oldValue != visited {
                notify()
            }
        }
    }

    init(_ stops: [Stop], closed: Bool = false) {
        self.stops = closed ? stops + stops.prefix(1) : stops
    }

    convenience init?(from text: String) {
        guard let first = text.first, first != "#" else { return nil }
        self.init([])
    }

    deinit {
        notify()
    }

    subscript(index: Int) -> Stop {
        return stops[index]
    }

    static func == (left: Route, right: Route) -> Bool {
        return left.stops == right.stops && left.name == right.name
    }

    func plan(for vehicle: Vehicle?, via detour: Stop...) -> Int {
        guard let vehicle = vehicle, vehicle.range > 0 else {
            return 0
        }
        var total = 0
        for stop in stops where stop != detour.first {
            if total > vehicle.range {
                total = 0
            } else if detour.contains(stop) {
                total += 2
            } else {
                total += 1
            }
        }
        while total > 100, !detour.isEmpty {
            total -= 1
        }
        return total
    }

    func rest(at stops: Set<Stop>) -> Int {
        var rests = 0
        outer: for stop in self.stops {
            repeat {
                rests += 1
                if rests > 10 { break outer }
            } while stops.contains(stop)
        }
        return rests
    }
}

extension Route {
    func cost(of day: Day) -> Double {
        switch day {
        case .weekend(let isHoliday) where isHoliday:
            return 0
        case .monday, .tuesday:
            return length > 5 ? 2.5 : 1.5
        case let other:
            return other.price
        }
    }

    // Functions of one name are told apart by their labels.
    func count(of stop: Stop) -> Int {
        return count(from: 0)
    }

    func count(from index: Int) -> Int {
        if index >= stops.count { return 0 }
        return 1 + count(from: index + 1)
    }
}

enum Loader {
    static func load(_ path: String) async -> Data? {
        do {
            let text = try String(contentsOfFile: path)
            return text.data(using: .utf8)
        } catch CocoaError.fileNoSuchFile {
            return nil
        } catch let error as DecodingError {
            log(error)
        } catch {
            if path.hasPrefix("/") { return nil }
        }
        return nil
    }

    static func names(_ routes: [Route<String>]) -> [String] {
        func short(_ name: String) -> String {
            return name.count > 8 ? String(name.prefix(8)) : name
        }
        defer { log(routes.count) }
        return routes
            .filter { $0.length > 1 && $0.name != "" }
            .map { route in
                if let known = cache[route.name] { return known }
                return short(route.name) + (route.note ?? "")
            }
    }

    static func isOpen(_ day: Int, _ hour: Int, _ isHoliday: Bool) -> Bool {
        return day < 6 && hour > 7 && hour < 18 || day == 6 && !isHoliday
    }
}
